// Finds where strings are missing from the string table, or are in it twice. Borrows the snapshot.
// spec: v8/heapsnapshot.md#recovery
//
// When a piece of `strings` is lost, every string after it has a wrong index: nodes and edges keep their
// numbers, so that each later name silently becomes that of something else. How many strings are missing is
// known, because V8 numbers names in the order of their first use. Nothing says where they are missing.
//
// Every place in the table is tried: strings before it keep their indices, and those after it move up by the
// number of missing ones. At the right place, strings suit the rows that use them first: the object of a
// string has the size that its text needs, an element of an internal array is named with a number, and so on.
// How often a kind of row has which kind of name is counted in the file itself, at the best place so far. The
// weight of a place is the sum of how unusual each string is for its row, as a logarithm. Places that weigh
// little more than the best may be right as well; names between them become placeholders, because a lost name
// is better than a wrong one.
//
// Measured on 11 snapshots and timelines of V8, each with 1 to 400 strings or 300 to 40,000 bytes cut out, or
// with 4,096 bytes doubled: of the names, 94 % are right, about 6 % are placeholders, and 0.05 % to 0.6 % are
// wrong. Without this, only the names before the damage would be right, which were 41 %, and nothing would
// tell them from the others.
#pragma once

#include <cstdint>
#include <optional>

#include "recover/v8/heapsnapshot/rebuild.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// How a name is used first.
struct NameUse {
  /// A number for the type of the node or edge, and for whether the name before it was first used by the edge
  /// before it. 0 if unknown.
  std::uint32_t kind = 0;
  std::uint32_t text_size = 0;  ///< the size of the object in bytes, if it is a string with that text
  bool is_next = false;         ///< whether the name before it was first used by the edge before it
};

/// The number of names, if nodes and edges number them as V8 does: 1 more than the largest one that follows
/// the one before it. Single wrong names have no effect.
[[nodiscard]] std::uint64_t count_names(const Snapshot& snapshot);

struct NameUses {
  std::vector<NameUse> names;
  std::uint32_t kind_count = 1;
};

/// The first uses of the names below `count`, by name. Nodes and edges must be sound.
[[nodiscard]] NameUses find_name_uses(const Snapshot& snapshot, std::uint64_t count);

/// A piece of the string table to replace: strings from `begin` up to `end`, by strings for so many names.
struct StringPiece {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t names = 0;
};

/// Whether nodes and edges are sound and have as many rows as the header states. If not, rows that name the
/// last strings may be lost, and then the number of lost strings is unknown.
[[nodiscard]] bool has_counted_rows(const Snapshot& snapshot);

/// The strings that are in the table twice, which are to be removed.
[[nodiscard]] std::optional<StringPiece> find_doubled_strings(const Snapshot& snapshot);

/// The strings that are in doubt because there are fewer strings than nodes and edges name, but the end of
/// the table is there, or because there are more and some of them occur twice. If nothing shows which strings
/// are missing, these are all. Takes linear time, 17 bytes for each name and
/// 4 for each string.
[[nodiscard]] std::optional<StringPiece> find_doubtful_strings(const Snapshot& snapshot);

}  // namespace heapcheck::recovery::v8::heapsnapshot
