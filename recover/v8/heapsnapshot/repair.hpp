// The parts of repairing a snapshot, to be called in this order. Each makes sections sound, and counts in a
// Recovery what it did. spec: v8/heapsnapshot.md#recovery
#pragma once

#include "recover/v8/heapsnapshot/rebuild.hpp"
#include "recover/v8/heapsnapshot/recover.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// Whether `meta` names the columns of a section.
[[nodiscard]] inline bool is_named(const Snapshot& snapshot, Section section) {
  return snapshot.schema.fields[index_of(section)].has_value();
}

/// Whether `meta` names what nodes and edges cannot do without.
[[nodiscard]] bool can_repair(const Snapshot& snapshot);
/// Gives every section that `meta` names its columns, and adds those that were not reached.
void repair_sections(Snapshot& snapshot, Recovery& recovery);
/// Nodes and edges. Nothing else may be repaired where no node is kept.
void repair_graph(Snapshot& snapshot, Recovery& recovery);
/// Functions, the trace tree, and what nodes have of it.
void repair_traces(Snapshot& snapshot, Recovery& recovery);
/// Samples, locations and scopes.
void repair_rows(Snapshot& snapshot, Recovery& recovery);
/// Strings and what leads to them. Errors: limit.
[[nodiscard]] Result<void> repair_names(Snapshot& snapshot, const Limits& limits, Recovery& recovery);
void repair_header(Snapshot& snapshot, Recovery& recovery);

}  // namespace heapcheck::recovery::v8::heapsnapshot
