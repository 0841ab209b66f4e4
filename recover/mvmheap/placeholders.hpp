// Names for graphs whose tables are lost: what a snapshot refers to, and rows to stand for it. The
// strings are `<string 17>`, `<type 5>` and `<frame 9>`, so nobody takes them for real names.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::recovery::mvmheap {

namespace model = heapcheck::mvmheap;

/// How long the shared tables must be for every index in the snapshot to be inside.
model::TableCounts find_needed_rows(const model::Snapshot& snapshot);

/// Whether a dump of so many collectables and references can have that many rows: a writer enters a type or
/// a static frame for a collectable, and a string for a reference or a column of those. More means that
/// an index is damaged.
bool are_plausible(const model::TableCounts& needed, std::uint64_t collectables, std::uint64_t references);

/// Makes the tables at least as long as `needed`; strings for the new rows come behind.
void add_placeholders(model::Tables& tables, const model::TableCounts& needed);

}  // namespace heapcheck::recovery::mvmheap
