// What bytes were where in a version 2 file: its sections in the order of the file, and the index as it
// stands there beside what it should say. Small; filled by the readers, judged by validate/mvmheap/v2.
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
  Span span;                         ///< head and entries
  std::uint64_t part = 0;            ///< the snapshot it belongs to; of a last section, how many there are
  bool is_last = false;              ///< one of the three at the end that belong to no snapshot
  std::uint64_t declared_count = 0;  ///< entries as its head says
  std::uint64_t count = 0;           ///< entries as they are
  std::uint64_t rows_before = 0;     ///< how many of its rows stand in sections before
  bool rows_counted = true;          ///< whether that many is certain, for strings
  bool whole = true;                 ///< whether its content could be read
  bool certain = true;               ///< whether nothing was wrong with it
  std::uint64_t wide = 0;            ///< references wider than their values need
  std::optional<Span> upper_half;    ///< the first field whose upper half is not 0, where halves are cut off

  /// Where its entries start.
  [[nodiscard]] std::uint64_t content() const { return span.offset + info_of(kind).head_bytes; }
};

/// One snapshot as the index should list it.
struct SnapshotSizes {
  grammar::IndexEntry entry;
  bool known = true;        ///< whether its sections are all there and their ends certain
  bool lacks_rows = false;  ///< whether no rows stand behind it, though no layout was known yet
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
  /// What the trailer should say: sizes of the last three sections, and how many snapshots there are.
  grammar::Trailer last;
  bool last_known = false;            ///< whether the three are there and their ends certain
  std::optional<Index> index;         ///< as it stands in the file
  std::uint64_t whole_snapshots = 0;  ///< whose graph could be read whole
  bool stopped = false;               ///< whether reading has ended
};

}  // namespace heapcheck::mvmheap::v2
