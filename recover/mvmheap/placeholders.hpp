// Makes names for graphs whose tables are lost: finds the rows to which a snapshot refers, and adds
// placeholders for lost rows.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/summary.hpp"
#include "recover/mvmheap/known_rows.hpp"

namespace heapcheck::recovery::mvmheap {

namespace model = heapcheck::mvmheap;

/// The lengths that the shared tables must have to cover every index in the snapshot.
model::TableCounts find_needed_rows(const model::Snapshot& snapshot);

/// The same for types and static frames, but without the collectable that has the largest index of each.
/// This makes it possible to distinguish a single damaged index from lost rows, because MoarVM adds a row
/// only when something refers to it.
model::TableCounts find_rows_but_largest(const model::Snapshot& snapshot);

/// Returns whether a dump with this many collectables and references can need that many rows. A writer adds
/// at most one type or static frame for each collectable, and one string for each reference and for each
/// column of those rows. If more rows are needed, an index is damaged.
bool are_plausible(const model::TableCounts& needed, std::uint64_t collectables, std::uint64_t references);

/// Replaces rows with placeholders. The strings that the new types and static frames need are added after all
/// other strings.
void replace_rows(model::Tables& tables, const LostRows& lost);

/// Makes the tables at least as long as `needed`. The strings of the new rows are added after all other
/// strings.
void add_placeholders(model::Tables& tables, const model::TableCounts& needed);

/// Adds a string that states that `count` snapshots were left out, which explains why some rows may be
/// unused.
void add_lost_snapshots(model::Tables& tables, std::uint64_t count);

}  // namespace heapcheck::recovery::mvmheap
