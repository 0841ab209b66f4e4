// Finds which calls allocated the nodes of a V8 timeline, and when. Reads the model, and adds to the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/v8/heapsnapshot/model.hpp"
#include "heapcheck/types/graph.hpp"

namespace heapcheck::graph {

/// A column that the file lacks and without which the calls that allocated nodes are unknown; none if the
/// file has all such columns.
[[nodiscard]] std::optional<std::string_view> find_missing_stack_column(
    const v8::heapsnapshot::Snapshot& snapshot);

/// The most memory that add_trace_stacks() can add to the graph, in bytes.
[[nodiscard]] std::uint64_t measure_trace_stacks(const v8::heapsnapshot::Snapshot& snapshot);

/// Adds the calls that allocated nodes, with the call of each node, and the samples. Place `i` of the stacks
/// is row `i` of the trace tree. Adds nothing from sections that are damaged or contradict each other,
/// because no other answer depends on them. spec: v8/heapsnapshot.md#trace-tree
void add_trace_stacks(const v8::heapsnapshot::Snapshot& snapshot, Graph& graph);

}  // namespace heapcheck::graph
