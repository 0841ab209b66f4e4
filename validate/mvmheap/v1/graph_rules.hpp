// Rules that only version 1 files can break, over what was read.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "validate/mvmheap/view.hpp"

namespace heapcheck::validation::mvmheap::v1 {

namespace rules {

inline constexpr Rule collectables_childless_start{
    "mvm1.collectables.childless-start",
    Severity::warning,
    Stage::check,
    "a collectable without references has refs_start 0",
    "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    "mvmheap/v1.md#collectables",
    "0.1"};

inline constexpr Rule collectables_size{
    "mvm1.collectables.size",
    Severity::warning,
    Stage::check,
    "a collectable's size is below 65536",
    "MoarVM holds it in 16 bits, so another writer made the file or a digit was added.",
    "mvmheap/v1.md#collectables",
    "0.1"};
inline constexpr Rule tables_count{
    "mvm1.tables.count",
    Severity::error,
    Stage::check,
    "the tables have the rows that are referred to",
    "Rows are missing from a table, so what refers to those behind them has another's name.",
    "mvmheap/v1.md#tables",
    "0.1"};
inline constexpr Rule references_count{
    "mvm1.references.count",
    Severity::error,
    Stage::check,
    "the lists of a snapshot fit each other",
    "Items are missing from a list, so what comes behind them belongs to others.",
    "mvmheap/v1.md#references",
    "0.1"};

}  // namespace rules

/// mvm1.references.count: whether both lists have their items. Where only one place is wrong, that is
/// left to the rules on references. Says whether these make sense. `place` is that of the references.
bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink);
void check_sizes(const SnapshotView& view, core::FindingSink& sink);

}  // namespace heapcheck::validation::mvmheap::v1
