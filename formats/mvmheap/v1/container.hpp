// The layout of a version 1 file: its lines in file order, and whether they could be read. It is small, is
// filled in by the reader, and is checked by validate/mvmheap/v1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {

/// The positions of a list's rows in the file. Only some rows get a mark with their offset. Between marks,
/// the lengths of rows are derived from their content.
class RowPlaces {
 public:
  struct Mark {
    std::uint64_t row = 0;
    std::uint64_t offset = 0;  ///< the offset of the row's first byte
  };

  void clear() { marks_.clear(); }
  /// Rows and offsets must increase from one call to the next.
  void add(std::uint64_t row, std::uint64_t offset) { marks_.push_back({row, offset}); }

  /// The last mark at or before `row`. At least one mark must have been added.
  [[nodiscard]] Mark find(std::uint64_t row) const {
    const auto after = std::ranges::upper_bound(marks_, row, {}, &Mark::row);
    return after == marks_.begin() ? Mark{} : *std::prev(after);
  }
  [[nodiscard]] std::uint64_t memory() const { return marks_.capacity() * sizeof(Mark); }

 private:
  std::vector<Mark> marks_;
};

struct Line {
  LineKind kind = LineKind::strings;
  Span span;                ///< the whole line, including its end
  std::uint64_t part = 0;   ///< the number of its snapshot; 0 for tables
  std::uint64_t count = 0;  ///< the number of names or items
  bool whole = true;        ///< whether all of them could be read
};

/// A name that begins with a quote. If it contains `","`, its end is a guess.
struct QuotedName {
  std::uint64_t index = 0;
  Span place;
};

struct LineContainer {
  std::uint64_t byte_count = 0;
  std::uint64_t snapshots = 0;        ///< the number of snapshots begun
  std::uint64_t whole_snapshots = 0;  ///< the number of snapshots in which every item could be read
  std::vector<Line> lines;
  RowPlaces strings;
  RowPlaces types;
  RowPlaces static_frames;
  std::optional<QuotedName> first_quoted_name;
  /// Whether reading has ended, after the last snapshot or earlier.
  bool stopped = false;
  /// Whether reading reached the end of the file, with all lines complete.
  bool complete = false;
};

}  // namespace heapcheck::mvmheap::v1
