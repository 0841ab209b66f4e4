// The steps for repairing a snapshot. They must be called in this order. Each step makes some sections sound
// and records its changes in a Recovery. spec: v8/heapsnapshot.md#recovery
#pragma once

#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/recover.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Whether `meta` names the columns of a section.
[[nodiscard]] inline bool is_named(const Snapshot& snapshot, Section section) {
  return snapshot.schema.fields[index_of(section)].has_value();
}

/// Puts the columns and types in `meta` into V8's order if the rows contradict the current order and nothing
/// contradicts V8's order. The snapshot must be whole.
void repair_order(Snapshot& snapshot, Recovery& recovery);
/// Whether `meta` names the columns and types that nodes and edges need.
[[nodiscard]] bool can_repair(const Snapshot& snapshot);
/// Splits every section that `meta` names into its columns, and adds the sections that were not reached.
void repair_sections(Snapshot& snapshot, Recovery& recovery);
/// The name of the placeholders for nodes until there is a string for this name.
inline constexpr auto lost_node_name = static_cast<std::uint64_t>(-1);

/// Repairs nodes and edges. Returns the nodes that are kept in their places; all others are placeholders. If
/// no node is kept, the other repair functions must not be called.
[[nodiscard]] RowSet repair_graph(Snapshot& snapshot, Recovery& recovery);
/// Repairs functions, the trace tree, and the ids by which nodes refer to it.
void repair_traces(Snapshot& snapshot, Recovery& recovery);
/// Repairs samples, locations and scopes. `nodes` are the nodes to which rows may refer.
void repair_rows(Snapshot& snapshot, const RowSet& nodes, Recovery& recovery);
/// Removes one copy of a run of strings that is in the table twice, and replaces lost strings with
/// placeholders, so that later strings keep their indices. Errors: limit.
[[nodiscard]] Result<void> repair_strings(Snapshot& snapshot, const Limits& limits, Recovery& recovery);
/// Repairs the strings and the names that refer to them. Errors: limit.
[[nodiscard]] Result<void> repair_names(Snapshot& snapshot, const Limits& limits, Recovery& recovery);
void repair_header(Snapshot& snapshot, Recovery& recovery);

}  // namespace heapcheck::recovery::v8::heapsnapshot
