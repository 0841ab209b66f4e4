#include <algorithm>
#include <utility>

#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/repair.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

using format::ChunkedColumn;
using format::Table;
using format::TraceTree;

void copy_call(const TraceTree& old, std::size_t from, std::uint32_t parent, TraceTree& tree) {
  tree.id.push_back(old.id[from]);
  tree.function_info_index.push_back(old.function_info_index[from]);
  tree.count.push_back(old.count[from]);
  tree.size.push_back(old.size[from]);
  tree.parent.push_back(parent);
  tree.offsets.push_back(old.offsets[from]);
}

/// The complete calls whose function is kept and all of whose callers, up to the first call, are kept too.
TraceTree make_tree(const TraceTree& old, std::uint64_t function_count) {
  TraceTree tree;
  std::vector<std::uint32_t> places(old.whole_rows, TraceTree::no_parent);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_root = i == 0;
    const std::uint32_t parent =
        is_root || old.parent[i] == TraceTree::no_parent ? TraceTree::no_parent : places[old.parent[i]];
    if (old.function_info_index[i] >= function_count || (!is_root && parent == TraceTree::no_parent))
      continue;
    places[i] = static_cast<std::uint32_t>(tree.id.size());
    copy_call(old, i, parent, tree);
  }
  tree.whole_rows = tree.id.size();
  tree.extent = format::Extent::whole;
  return tree;
}

/// Sets the `trace_node_id` of a node to 0 if the call was not kept.
void repair_trace_nodes(Snapshot& snapshot, Recovery& recovery) {
  const ChunkedColumn* const calls = snapshot.find_column(Section::nodes, "trace_node_id");
  if (calls == nullptr) return;
  const validation::v8::heapsnapshot::TreeIds ids(snapshot.trace_tree);
  ChunkedColumn repaired = make_column(*calls, [&](std::uint64_t, std::uint64_t call) {
    if (call == 0 || ids.has(call)) return call;
    ++recovery.changed_values;
    return std::uint64_t{0};
  });
  replace_column(snapshot, Section::nodes, "trace_node_id", std::move(repaired));
}

/// Assigns the smallest unused ids to calls that have the id of an earlier call.
void repair_tree_ids(TraceTree& tree, Recovery& recovery) {
  const std::vector<validation::v8::heapsnapshot::Repeated> repeated =
      validation::v8::heapsnapshot::find_repeated(tree.id);
  recovery.changed_values += repeated.size();
  if (repeated.empty()) return;
  FreeIds free(tree.id.size(), 1);
  for (const std::uint64_t id : tree.id) free.take(id);
  for (const validation::v8::heapsnapshot::Repeated& id : repeated)
    tree.id[static_cast<std::size_t>(id.row)] = free.next();
}

void repair_tree(Snapshot& snapshot, std::uint64_t function_count, Recovery& recovery) {
  TraceTree& tree = snapshot.trace_tree;
  if (!tree.is_present()) return;
  const std::size_t read = tree.id.size();
  tree = make_tree(tree, function_count);
  recovery.dropped_rows += read - tree.id.size();
  if (!tree.id.empty()) recovery.changed_values += std::exchange(tree.id[0], 1U) == 1 ? 0U : 1U;
  repair_trace_nodes(snapshot, recovery);
  repair_tree_ids(tree, recovery);
}

}  // namespace

void repair_traces(Snapshot& snapshot, Recovery& recovery) {
  Table& functions = snapshot.table(Section::trace_function_infos);
  recovery.changed_values += functions.wrong.size();
  // Wrong values remain 0. If their rows were dropped, calls would refer to the wrong functions.
  functions.wrong.clear();
  RowSet rows = find_whole_rows(functions);
  const bool has_calls =
      is_named(snapshot, Section::trace_function_infos) && is_named(snapshot, Section::trace_tree);
  repair_tree(snapshot, has_calls ? static_cast<std::uint64_t>(std::ranges::count(rows, true)) : 0, recovery);
  if (!functions.is_present()) return;
  if (snapshot.trace_tree.id.empty()) rows.assign(rows.size(), false);  // DevTools fails if the tree is empty
  recovery.dropped_rows += keep_rows(functions, rows);
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
