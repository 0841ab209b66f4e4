// Names for graphs whose tables are lost: what a snapshot refers to, and rows to stand for it. The
// strings are `<string 17>`, `<type 5>` and `<frame 9>`, so nobody takes them for real names.
#pragma once

#include "formats/core/limits.hpp"
#include "formats/mvmheap/model.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validate::mvmheap {

/// How long the shared tables must be for every index in the snapshot to be inside.
model::TableCounts find_needed_rows(const model::Snapshot& snapshot);

/// Whether placeholders for that many rows fit into Limits::max_memory.
bool can_hold_placeholders(const model::TableCounts& needed, const core::Limits& limits);

/// Makes the tables at least as long as `needed`; strings for the new rows come behind.
void add_placeholders(model::Tables& tables, const model::TableCounts& needed);

}  // namespace heapcheck::validate::mvmheap
