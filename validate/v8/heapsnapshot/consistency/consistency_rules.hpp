// Checks nodes, edges and strings for mismatches that the counts do not reveal.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// Raises at most one finding, at the first mismatched row: for names that are out of order or, if they are
/// in order, for edges at the wrong nodes. The graph and the strings must be sound. The order of names is
/// checked only if all names are indices of strings.
void check_consistency(const Snapshot& snapshot, bool has_names, core::FindingSink& sink);

namespace rules {

/// The files from V8 with which the rules about its order were checked.
inline constexpr std::string_view v8_engines =
    "V8 (checked on Node.js 6 to 26, Chrome 64 to 156, Deno 2.9 and workerd)";

// One line per member, however long.
// clang-format off
inline constexpr Rule edges_map{
    .id = "v8snap.edges.map", .severity = Severity::warning, .stage = Stage::check,
    .title = "in V8's files, every object, function, symbol, bigint, regular expression and string has one internal edge `map`",
    .reason = "A node without this edge, or with two, was given edges of another node: every reader then shows wrong references and wrong retained sizes.",
    .example = "a node of type `closure` whose only edge is the `map` of the node before it, because that node's `edge_count` is too low",
    .advice = "Take the snapshot again, or get the file from its source again: it was damaged. Nothing in the file shows which edges belong to which nodes, so heapcheck recover leaves them as they are. Trust only the nodes before the place of this finding.",
    .engines = v8_engines,
    .anchor = "v8/heapsnapshot.md#consistency", .since = "0.1"};
inline constexpr Rule edges_order{
    .id = "v8snap.edges.order", .severity = Severity::warning, .stage = Stage::check,
    .title = "in V8's files, a node's `map` edge comes after its properties, and its hidden edges do not come first",
    .reason = "A node whose edges are in another order was given edges of the node before or after it: every reader then shows wrong references and wrong retained sizes.",
    .example = "a node whose edge `map` is followed by a property: that property belongs to the next node, whose `edge_count` is too low",
    .advice = "Take the snapshot again, or get the file from its source again: it was damaged. Nothing in the file shows which edges belong to which nodes, so heapcheck recover leaves them as they are. Trust only the nodes before the place of this finding.",
    .engines = v8_engines,
    .anchor = "v8/heapsnapshot.md#consistency", .since = "0.1"};
inline constexpr Rule meta_order{
    .id = "v8snap.meta.order", .severity = Severity::warning, .stage = Stage::check,
    .title = "`meta` lists types in V8's order, and columns in the order of the rows",
    .reason = "Readers rely on these lists. If two names have swapped places, readers mistake one type or column for the other.",
    .example = "\"edge_types\":[[\"context\",\"property\",\"element\",...",
    .advice = "Get the file from its source again, or put the names back in V8's order. If you write such files, use V8's order, as all known writers do.",
    .engines = v8_engines,
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule meta_permuted{
    .id = "v8snap.meta.permuted", .severity = Severity::error, .stage = Stage::check,
    .title = "if the lists in `meta` are not in V8's order, the rows of nodes and edges do not contradict them",
    .reason = "Readers rely on these lists. If two names have swapped places, readers mistake one column for the other, and fail or show wrong nodes and references.",
    .example = "\"node_fields\":[\"type\",\"id\",\"name\",...] before rows with the name in the second column",
    .advice = "Get the file from its source again, or put the names back in V8's order: heapcheck recover does that if the rows then contradict nothing.",
    .anchor = "v8/heapsnapshot.md#meta", .since = "0.1"};
inline constexpr Rule strings_order{
    .id = "v8snap.strings.order", .severity = Severity::warning, .stage = Stage::check,
    .title = "names are numbered in the order in which nodes, and then edges, first use them",
    .reason = "If a name skips numbers, the rows that used the skipped ones first are missing or in another place, so nodes and edges have been mixed up.",
    .example = "nodes with the names 1, 2, 3, 40, 41, 42, ...",
    .advice = "Take the snapshot again, or get the file from its source again: a piece of it was lost or moved. If you removed rows yourself, remove their strings as well.",
    .engines = v8_engines,
    .anchor = "v8/heapsnapshot.md#consistency", .since = "0.1"};
inline constexpr Rule strings_twice{
    .id = "v8snap.strings.twice", .severity = Severity::warning, .stage = Stage::check,
    .title = "no piece of `strings` is in the file twice",
    .reason = "All names after the repeated piece are wrong: each reader shows the name of another node or edge.",
    .example = "10 consecutive strings that all occur earlier, in a file whose last 10 strings are not used",
    .advice = "Get the file from its source again. If that is not possible, remove the strings that this finding counts, and check the result again.",
    .anchor = "v8/heapsnapshot.md#consistency", .since = "0.1"};
inline constexpr std::array all{&edges_map, &edges_order, &meta_order, &meta_permuted, &strings_order, &strings_twice};
// clang-format on

}  // namespace rules

// Finds a piece of the string table that occurs twice in the file. Borrows the snapshot. spec:
// v8/heapsnapshot.md#consistency

/// Consecutive strings that have all occurred before.
struct StringRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The indices of all strings that are equal to an earlier one. There must be fewer than 2^32 - 1 strings.
[[nodiscard]] std::vector<std::uint32_t> find_repeated_strings(const format::StringTable& strings);

/// The longest run of repeated strings, given the indices of all strings that are equal to an earlier one.
/// Empty unless the run shows that a piece of the table was written twice. This is the case if the run is
/// long and about as many strings at the end are unused. Writers that do not look for equal strings use all
/// of their strings.
[[nodiscard]] std::optional<StringRun> find_repeated_piece(const Snapshot& snapshot,
                                                           const std::vector<std::uint32_t>& repeated);

// Finds the row at which nodes and edges stop matching, for findings about wrong counts and lengths. Takes
// time linear in the size of the snapshot, and is needed only for damaged files. spec:
// v8/heapsnapshot.md#document

struct RowPlace {
  Section section;
  std::uint64_t row = 0;
};

/// The first row of `nodes` or `edges` with a value that is impossible in its column. The section may have
/// the wrong length. A number is missing or was inserted in this row or shortly before it.
[[nodiscard]] std::optional<RowPlace> find_misaligned_row(const Snapshot& snapshot, Section section);

/// The first row that shows that `section`, which is either nodes or edges, has too few or too many rows.
/// Both sections must be sound. For edges, the row can be the first edge of a node that has the wrong edges.
[[nodiscard]] std::optional<RowPlace> find_miscounted_row(const Snapshot& snapshot, Section section);

/// The first node that has the edges of another node.
[[nodiscard]] std::optional<RowPlace> find_misassigned_node(const Snapshot& snapshot);

/// The location of a row, even if the rows after it are misaligned.
[[nodiscard]] Location locate(const Snapshot& snapshot, const RowPlace& place);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
