#include <algorithm>
#include <utility>

#include "recover/v8/heapsnapshot/free_ids.hpp"
#include "recover/v8/heapsnapshot/misaligned_rows.hpp"
#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using format::Table;

/// Removes from `rows` the edges of an unknown type and those that do not lead to a node.
void drop_broken_edges(const Snapshot& snapshot, RowSet& rows) {
  const auto drop = [&rows](std::uint64_t row) { rows[static_cast<std::size_t>(row)] = false; };
  const Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t types = snapshot.schema.find_type_names(Section::edges, "type")->size();
  for_each_value(*snapshot.find_column(Section::edges, "to_node"), [&](std::uint64_t row, std::uint64_t to) {
    if (!nodes.begins_row(to)) drop(row);
  });
  validation::v8::heapsnapshot::for_each_above(*snapshot.find_column(Section::edges, "type"), types - 1,
                                               [&](std::uint64_t row, std::uint64_t) { drop(row); });
}

/// Keeps the nodes that were read completely and are aligned; returns the number of nodes whose edges are
/// known.
std::uint64_t repair_nodes(Snapshot& snapshot, Recovery& recovery) {
  Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t known =
      count_known(nodes, snapshot.schema.find_field(Section::nodes, "edge_count").value_or(0));
  recovery.changed_values += nodes.wrong.size();
  // Wrong values remain as 0: if their rows were dropped, every reference to a later node would be wrong.
  nodes.wrong.clear();
  RowSet rows = find_whole_rows(nodes);
  cut_rows(rows, count_aligned_nodes(snapshot));
  keep_rows(nodes, rows);
  return known;
}

/// Keeps the edges that are known to belong to the node that counts them.
void repair_edges(Snapshot& snapshot, std::uint64_t known, std::uint64_t aligned) {
  RowSet rows = find_whole_rows(snapshot.table(Section::edges));
  cut_rows(rows, aligned);
  drop_broken_edges(snapshot, rows);
  const ChunkedColumn& counts = *snapshot.find_column(Section::nodes, "edge_count");
  const RowSet nodes(static_cast<std::size_t>(counts.count()), true);
  replace_column(snapshot, Section::nodes, "edge_count", fit_counts(counts, nodes, known, rows));
  keep_rows(snapshot.table(Section::edges), rows);
}

/// Replaces each type that `meta` does not name with the first one, which V8 uses for hidden objects.
void repair_types(Snapshot& snapshot, Recovery& recovery) {
  if (std::exchange(snapshot.schema.omits_symbol, false)) ++recovery.changed_values;
  const ChunkedColumn& types = *snapshot.find_column(Section::nodes, "type");
  const std::uint64_t known = snapshot.schema.find_type_names(Section::nodes, "type")->size();
  if (types.largest() < known) return;
  replace_column(snapshot, Section::nodes, "type", make_column(types, [&](std::uint64_t, std::uint64_t type) {
                   recovery.changed_values += type < known ? 0U : 1U;
                   return type < known ? type : 0;
                 }));
}

/// Assigns the smallest unused ids to nodes with the id of an earlier node; uses only odd ids, as V8 does for
/// its own objects.
void repair_ids(Snapshot& snapshot, Recovery& recovery) {
  const ChunkedColumn& ids = *snapshot.find_column(Section::nodes, "id");
  const std::vector<validation::v8::heapsnapshot::Repeated> repeated =
      validation::v8::heapsnapshot::find_repeated(ids);
  if (repeated.empty()) return;
  FreeIds free(ids.count(), 2);
  for_each_value(ids, [&](std::uint64_t, std::uint64_t id) { free.take(id); });
  auto next = repeated.begin();
  replace_column(snapshot, Section::nodes, "id", make_column(ids, [&](std::uint64_t row, std::uint64_t id) {
                   if (next == repeated.end() || next->row != row) return id;
                   ++next;
                   return free.next();
                 }));
  recovery.changed_values += repeated.size();
}

/// The number of dropped rows, out of the number that were read or the number that the header states,
/// whichever is larger.
std::uint64_t count_dropped(const std::optional<format::HeaderNumber>& said, std::uint64_t read,
                            std::uint64_t kept) {
  return std::max(said ? said->value : 0, read) - kept;
}

}  // namespace

void repair_graph(Snapshot& snapshot, Recovery& recovery) {
  const Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t read_nodes = nodes.row_count();
  const std::uint64_t read_edges = snapshot.table(Section::edges).row_count();
  const std::uint64_t aligned_edges = count_aligned_edges(snapshot);
  const std::uint64_t known = repair_nodes(snapshot, recovery);
  recovery.kept_nodes = nodes.row_count();
  recovery.dropped_nodes = count_dropped(snapshot.header.node_count, read_nodes, recovery.kept_nodes);
  if (recovery.kept_nodes == 0) return;
  repair_edges(snapshot, known, aligned_edges);
  recovery.kept_edges = snapshot.table(Section::edges).row_count();
  recovery.dropped_edges = count_dropped(snapshot.header.edge_count, read_edges, recovery.kept_edges);
  repair_types(snapshot, recovery);
  repair_ids(snapshot, recovery);
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
