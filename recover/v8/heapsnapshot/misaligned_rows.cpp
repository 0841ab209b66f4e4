#include "recover/v8/heapsnapshot/misaligned_rows.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using format::Table;

/// The largest value of `detachedness` that readers understand.
constexpr std::uint64_t most_detached = 3;

/// Whether an array was read to its end and has the wrong number of values.
bool has_other_length(const Table& table, const std::optional<format::HeaderNumber>& said) {
  const bool has_rest = table.value_count != table.row_count() * table.columns.size();
  return table.is_whole() && (has_rest || (said && said->value != table.row_count()));
}

/// The first row before `end` whose value is above `largest`, or `end`.
std::uint64_t find_above(const ChunkedColumn& column, std::uint64_t largest, std::uint64_t end) {
  validation::v8::heapsnapshot::for_each_above(
      column, largest, [&](std::uint64_t row, std::uint64_t) { end = std::min(end, row); });
  return end;
}

/// The first row whose type `meta` does not name, or the number of rows if there is none.
std::uint64_t find_unknown_type(const Snapshot& snapshot, Section section) {
  const ChunkedColumn& types = *snapshot.find_column(section, "type");
  return find_above(types, snapshot.schema.find_type_names(section, "type")->size() - 1, types.count());
}

}  // namespace

std::uint64_t count_aligned_nodes(const Snapshot& snapshot) {
  const Table& nodes = snapshot.table(Section::nodes);
  if (!has_other_length(nodes, snapshot.header.node_count)) return nodes.row_count();
  std::uint64_t end = find_unknown_type(snapshot, Section::nodes);
  const std::uint64_t strings = snapshot.strings.table.count();
  if (snapshot.strings.is_whole() && strings != 0)
    end = find_above(*snapshot.find_column(Section::nodes, "name"), strings - 1, end);
  const std::vector<validation::v8::heapsnapshot::Repeated> repeated =
      validation::v8::heapsnapshot::find_repeated(*snapshot.find_column(Section::nodes, "id"));
  if (!repeated.empty()) end = std::min(end, repeated.front().row);
  const ChunkedColumn* const detached = snapshot.find_column(Section::nodes, "detachedness");
  return detached == nullptr ? end : find_above(*detached, most_detached, end);
}

std::uint64_t count_aligned_edges(const Snapshot& snapshot) {
  const Table& edges = snapshot.table(Section::edges);
  if (!has_other_length(edges, snapshot.header.edge_count)) return edges.row_count();
  std::uint64_t end = find_unknown_type(snapshot, Section::edges);
  const Table& nodes = snapshot.table(Section::nodes);
  for_each_value(*snapshot.find_column(Section::edges, "to_node"), [&](std::uint64_t row, std::uint64_t to) {
    if (!nodes.begins_row(to)) end = std::min(end, row);
  });
  return end;
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
