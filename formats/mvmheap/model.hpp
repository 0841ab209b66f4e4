// The content of a MoarVM heap dump, regardless of the file's version: growing tables that all snapshots
// share, and one graph per snapshot. They are structures of arrays and own their memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "formats/mvmheap/column.hpp"
#include "formats/mvmheap/description_notes.hpp"
#include "formats/mvmheap/string_table.hpp"

namespace heapcheck::mvmheap {

/// Kinds of collectables, with the numbers used in files. spec: mvmheap/v3.md#collectables
enum class CollectableKind : std::uint8_t {
  object = 1,
  type_object = 2,
  stable = 3,
  frame = 4,
  permanent_roots = 5,
  instance_roots = 6,
  c_stack_roots = 7,
  thread_roots = 8,
  root = 9,
  inter_generational_roots = 10,
  call_stack_roots = 11,
};
inline constexpr std::uint64_t last_collectable_kind = 11;

/// Kinds of references, with the numbers used in files. spec: mvmheap/v3.md#references
enum class ReferenceKind : std::uint8_t { unknown = 0, integer = 1, string = 2 };

/// Types of objects, type objects and STables: columns of string indices of the same length.
struct TypeTable {
  Column<std::uint32_t> repr_name;
  Column<std::uint32_t> type_name;
  [[nodiscard]] std::uint64_t count() const { return std::min(repr_name.count(), type_name.count()); }
  friend bool operator==(const TypeTable&, const TypeTable&) = default;
};

/// Static frames: columns of the same length, all of string indices except for `line`.
struct StaticFrameTable {
  Column<std::uint32_t> name;
  Column<std::uint32_t> cuid;
  Column<std::uint32_t> line;
  Column<std::uint32_t> file;
  [[nodiscard]] std::uint64_t count() const {
    return std::min({name.count(), cuid.count(), line.count(), file.count()});
  }
  friend bool operator==(const StaticFrameTable&, const StaticFrameTable&) = default;
};

/// The columns of a table of types or static frames.
auto columns_of(auto& table) {
  if constexpr (requires { table.cuid; }) {
    return std::array{&table.name, &table.cuid, &table.line, &table.file};
  } else {
    return std::array{&table.repr_name, &table.type_name};
  }
}

/// The lengths of the shared tables at some point in a file.
struct TableCounts {
  std::uint64_t strings = 0;
  std::uint64_t types = 0;
  std::uint64_t static_frames = 0;
  friend constexpr bool operator==(const TableCounts&, const TableCounts&) = default;
};

/// The smaller of the counts in `a` and `b`, for each table.
constexpr TableCounts min(const TableCounts& a, const TableCounts& b) {
  return {std::min(a.strings, b.strings), std::min(a.types, b.types),
          std::min(a.static_frames, b.static_frames)};
}

/// The tables that all snapshots of a file share.
struct Tables {
  StringTable strings;
  TypeTable types;
  StaticFrameTable static_frames;

  /// Shortens each table to the number of rows in `counts`.
  void truncate(const TableCounts& counts);
  /// Whether the columns of each table have the same length.
  [[nodiscard]] bool has_equal_columns() const;
  [[nodiscard]] TableCounts counts() const { return {strings.count(), types.count(), static_frames.count()}; }
  [[nodiscard]] std::uint64_t memory() const;
  friend bool operator==(const Tables&, const Tables&) = default;
};

/// The length that the string table must have to cover every index in the types and static frames from
/// `first` up to `last`.
std::uint64_t find_needed_strings(const Tables& tables, const TableCounts& first, const TableCounts& last);

/// The nodes of a snapshot: columns of equal length.
struct Collectables {
  Column<std::uint16_t> kind;
  Column<std::uint32_t> type_or_frame_index;
  Column<std::uint16_t> size;            ///< bytes managed by the garbage collector
  Column<std::uint32_t> unmanaged_size;  ///< bytes managed elsewhere
  Column<std::uint32_t> refs_start;      ///< the index of the first reference
  Column<std::uint32_t> num_refs;

  [[nodiscard]] std::uint64_t count() const { return kind.count(); }
  friend bool operator==(const Collectables&, const Collectables&) = default;
};

/// The edges of a snapshot: columns of equal length.
struct References {
  Column<std::uint32_t> description;  ///< index << 2 | ReferenceKind
  Column<std::uint32_t> target;       ///< the index of a collectable
  DescriptionNotes notes;             ///< a summary of the descriptions passed to update() so far
  bool has_targets = true;            ///< false if the file does not contain them; they are then all 0

  [[nodiscard]] std::uint64_t count() const { return target.count(); }
  friend bool operator==(const References& a, const References& b) {
    return a.description == b.description && a.target == b.target && a.has_targets == b.has_targets;
  }
};

/// The length that the string table must have to cover every string index in the references.
std::uint64_t find_needed_strings(const References& references);

/// One graph, rooted at collectable 0.
struct Snapshot {
  Collectables collectables;
  References references;

  void clear();
  /// Whether the columns of each table have the same length, so that loops may iterate over them together.
  [[nodiscard]] bool has_equal_columns() const;
  [[nodiscard]] std::uint64_t memory() const;
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// Whether two snapshots are the same graph. They may differ only in the `refs_start` values of collectables
/// without references, which have no meaning. spec: mvmheap/v3.md#references
bool is_same_graph(const Snapshot& a, const Snapshot& b);

}  // namespace heapcheck::mvmheap
