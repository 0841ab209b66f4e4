// The parts of mending a snapshot, to be called in this order. Each makes sections sound, and counts in a
// Recovery what it did. spec: v8/heapsnapshot.md#recovery
#pragma once

#include "validate/v8/heapsnapshot/cases.hpp"
#include "validate/v8/heapsnapshot/recover.hpp"

namespace heapcheck::validate::v8::heapsnapshot {

/// Whether `meta` names the columns of a section.
[[nodiscard]] inline bool is_named(const Snapshot& snapshot, Section section) {
  return snapshot.schema.fields[index_of(section)].has_value();
}

/// Whether `meta` names what nodes and edges cannot do without.
[[nodiscard]] bool can_mend(const Snapshot& snapshot);
/// Gives every section that `meta` names its columns, and adds those that were not reached.
void mend_sections(Snapshot& snapshot, Recovery& recovery);
/// Nodes and edges. Nothing else may be mended where no node is kept.
void mend_graph(Snapshot& snapshot, Recovery& recovery);
/// Functions, the trace tree, and what nodes have of it.
void mend_traces(Snapshot& snapshot, Recovery& recovery);
/// Samples, locations and scopes.
void mend_rows(Snapshot& snapshot, Recovery& recovery);
/// Strings and what leads to them. Errors: limit.
[[nodiscard]] core::Result<void> mend_names(Snapshot& snapshot, const core::Limits& limits,
                                            Recovery& recovery);
void mend_header(Snapshot& snapshot, Recovery& recovery);

}  // namespace heapcheck::validate::v8::heapsnapshot
