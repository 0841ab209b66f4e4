// What must hold of a version 1 file.
#pragma once

#include <array>

#include "heapcheck/finding.hpp"

namespace heapcheck::validation::mvmheap::v1::rules {

// One line a member, however long.
// clang-format off
inline constexpr Rule collectables_childless_start{
    .id = "mvm1.collectables.childless-start", .severity = Severity::warning, .stage = Stage::check,
    .title = "a collectable without references has refs_start 0",
    .reason = "MoarVM writes 0 there, so another writer made the file or num_refs has changed.",
    .anchor = "mvmheap/v1.md#collectables", .since = "0.1"};
inline constexpr Rule collectables_size{
    .id = "mvm1.collectables.size", .severity = Severity::warning, .stage = Stage::check,
    .title = "a collectable's size is below 65536",
    .reason = "MoarVM holds it in 16 bits, so another writer made the file or a digit was added.",
    .anchor = "mvmheap/v1.md#collectables", .since = "0.1"};
inline constexpr Rule references_count{
    .id = "mvm1.references.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the lists of a snapshot fit each other",
    .reason = "Items are missing from a list, so what comes behind them belongs to others.",
    .anchor = "mvmheap/v1.md#references", .since = "0.1"};
inline constexpr Rule tables_count{
    .id = "mvm1.tables.count", .severity = Severity::error, .stage = Stage::check,
    .title = "the tables have the rows that are referred to",
    .reason = "Rows are missing from a table, so what refers to those behind them has another's name.",
    .anchor = "mvmheap/v1.md#tables", .since = "0.1"};
inline constexpr std::array all{&collectables_childless_start, &collectables_size, &references_count, &tables_count};
// clang-format on

}  // namespace heapcheck::validation::mvmheap::v1::rules
