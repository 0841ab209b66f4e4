#include "validate/v8/heapsnapshot/consistency/name_order.hpp"

#include <algorithm>

#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

/// Snapshots that were reduced to a few hundred nodes have one or two steps.
constexpr std::uint64_t names_per_step = 1000;

/// The sorted names of functions and variables, which nodes and edges use later or not at all. A program that
/// rewrote the file may have numbered them first.
std::vector<std::uint64_t> find_other_names(const Snapshot& snapshot) {
  std::vector<std::uint64_t> found;
  for (const format::ColumnName& info : name_columns) {
    const Field names(snapshot, info.section, info.field);
    if (!names || info.section == Section::nodes || info.section == Section::edges) continue;
    for_each_value(*names.column, [&](std::uint64_t, std::uint64_t name) { found.push_back(name); });
  }
  std::ranges::sort(found);
  return found;
}

/// Whether this is the name that `recover` gives to nodes that replace lost ones.
bool is_lost_node(const Snapshot& snapshot, const NameStep& step) {
  const format::StringTable& strings = snapshot.strings.table;
  return step.section == Section::nodes && step.name < strings.count() &&
         strings[step.name] == lost_node_text;
}

}  // namespace

bool NameOrder::has_few_steps() const {
  return steps != 0 && steps <= few_name_steps && names / names_per_step >= steps;
}

NameScan::NameScan(const Snapshot& snapshot)
    : snapshot_(&snapshot),
      element_(find_edge_type(snapshot, "element")),
      hidden_(find_edge_type(snapshot, "hidden")) {}

void NameScan::note(const NameStep& step) {
  if (is_lost_node(*snapshot_, step)) return;
  if (!others_) others_ = find_other_names(*snapshot_);
  std::uint64_t expected = step.largest + 1;
  while (expected < step.name && std::ranges::binary_search(*others_, expected)) ++expected;
  if (expected == step.name) return;
  if (order_.steps++ == 0) order_.first = step;
}

template <class Name>
void NameScan::add(Section section, std::uint64_t first_row, std::span<const Name> names) {
  std::uint64_t largest = order_.largest;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] <= largest) continue;
    if (names[i] > largest + 1) note({section, first_row + i, names[i], largest});
    largest = names[i];
    ++order_.names;
  }
  order_.largest = largest;
}

void NameScan::add_nodes() {
  const Field names(*snapshot_, Section::nodes, "name");
  if (!names) return;
  ChunkValues values;
  for (std::uint64_t chunk = 0; chunk < names.column->chunk_count(); ++chunk) {
    const std::size_t count = names.column->decode_chunk(chunk, values);
    add(Section::nodes, chunk * format::chunk_rows, std::span<const std::uint64_t>(values).first(count));
  }
}

void NameScan::add_edges(const EdgeChunk& chunk) {
  if (chunk.largest_name <= order_.largest) return;
  auto names = chunk.names;
  for (std::size_t i = 0; i < chunk.count; ++i)
    names[i] = chunk.types[i] == element_ || chunk.types[i] == hidden_ ? 0 : names[i];
  add(Section::edges, chunk.first, std::span<const std::uint32_t>(names).first(chunk.count));
}

NameOrder find_name_order(const Snapshot& snapshot) {
  NameScan scan(snapshot);
  scan.add_nodes();
  EdgeChunks edges(snapshot);
  for (std::uint64_t chunk = 0; chunk < edges.count(); ++chunk) scan.add_edges(edges.load(chunk));
  return scan.order();
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
