// The layout of a version 2 file: its sections in file order, the actual index, and the expected index. It is
// small, is filled in by the readers, and is checked by validate/mvmheap/v2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v2/grammar.hpp"
#include "formats/mvmheap/v2/layout.hpp"

namespace heapcheck::mvmheap::v2 {

struct Section {
  SectionKind kind = SectionKind::collectables;
  Span span;                         ///< the span of its head and entries
  std::uint64_t part = 0;            ///< the number of its snapshot; for a last section, the snapshot count
  bool is_last = false;              ///< whether it is one of the last three, which belong to no snapshot
  std::uint64_t declared_count = 0;  ///< the number of entries according to its head
  std::uint64_t count = 0;           ///< the actual number of entries
  std::uint64_t rows_before = 0;     ///< the number of rows of its kind in earlier sections
  bool rows_counted = true;          ///< for strings: whether `rows_before` is certain
  bool whole = true;                 ///< whether its content could be read
  bool is_repeat = false;            ///< whether it has rows that are also in earlier sections
  bool certain = true;               ///< whether no fault was found in it
  std::uint64_t faults = 0;          ///< for strings: the number of wrong lengths
  std::uint64_t first_fault = 0;     ///< for strings: the index in the section of the first wrong length
  std::uint64_t wide = 0;            ///< the number of references that are wider than necessary
  std::optional<Span> upper_half;    ///< the first field with a nonzero upper half (layout C)
  /// The first field, other than the last, whose upper half differs from the next field (layout C).
  std::optional<Span> upper_mismatch;

  /// The offset of its first entry.
  [[nodiscard]] std::uint64_t content() const { return span.offset + info_of(kind).head_bytes; }
};

/// The expected index entry for one snapshot.
struct SnapshotSizes {
  grammar::IndexEntry entry;
  bool known = true;        ///< whether all its sections exist and their ends are certain
  bool lacks_rows = false;  ///< whether no rows follow it and the layout was not yet known
};

struct Index {
  Span span;
  std::vector<grammar::IndexEntry> entries;
  grammar::Trailer trailer;
  [[nodiscard]] Span entry_place(std::uint64_t i) const {
    return {span.offset + i * index_entry_bytes, index_entry_bytes};
  }
  [[nodiscard]] Span trailer_place() const { return {span.end() - trailer_bytes, trailer_bytes}; }
};

struct SectionContainer {
  std::uint64_t byte_count = 0;
  Layout layout = Layout::unknown;
  std::vector<Section> sections;
  std::vector<SnapshotSizes> snapshots;
  /// The expected trailer: the sizes of the last three sections, and the number of snapshots.
  grammar::Trailer last;
  bool last_known = false;            ///< whether all three sections exist and their ends are certain
  std::optional<Index> index;         ///< the index in the file
  std::uint64_t whole_snapshots = 0;  ///< the number of snapshots whose graph could be read completely
  bool stopped = false;               ///< whether reading has ended
};

}  // namespace heapcheck::mvmheap::v2
