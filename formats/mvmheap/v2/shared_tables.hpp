// The shared tables while a version 2 file is read, in either direction: which rows are known, and which
// layout the file has, judged by what follows the snapshots. Owns the tables.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "formats/mvmheap/v2/section_reader.hpp"

namespace heapcheck::mvmheap::v2 {

class SharedTables {
 public:
  [[nodiscard]] const Tables& rows() const { return rows_; }
  [[nodiscard]] const Tables& last_rows() const { return last_rows_; }
  /// The tables to which the rows of a section belong.
  [[nodiscard]] Tables& rows_of(const Section& section) { return section.is_last ? last_rows_ : rows_; }
  /// The layout, as far as it is known yet.
  [[nodiscard]] Layout layout() const;
  /// The same for the fields of rows, which the counts of strings reveal before the layout is certain.
  [[nodiscard]] UpperHalves upper_halves() const;

  void begin_snapshot(SectionPart& part);
  /// Records what became of a section of rows. What a damaged section would have added is unknown.
  void enter(const Section& section, const SectionPart& part);
  /// Records that reading ended inside a section of this kind.
  void lose(SectionKind kind, const SectionPart& part);
  /// If layout C says that `count` strings come before, adds placeholders for those that were lost, up to
  /// `most`, so that later strings get their numbers. The lost strings remain unknown. Returns false and does
  /// nothing if more than `room` placeholders would be needed.
  bool fill_strings(std::uint64_t count, std::uint64_t most, std::uint64_t room, SectionPart& part);
  /// Whether strings have the numbers that the file gives them.
  [[nodiscard]] bool are_strings_counted() const { return are_strings_counted_; }
  /// Records that other sections follow the rows of the snapshot that ends, so that these are not the last
  /// rows.
  void continue_after_rows();
  /// Ends a snapshot; `has_rows` says whether sections of rows followed it.
  void end_snapshot(SectionPart& part, bool has_rows);
  /// Records that the supposed last sections are followed by a snapshot. With `adopts`, they are the rows of
  /// a snapshot that was lost; otherwise it is unknown what they are.
  void end_stray_rows(bool adopts);
  /// Ends the file. `last` holds the last sections, if any; `has_index` says whether there is an index.
  /// Returns whether `part` now has news about the tables that no snapshot had.
  bool end_file(SectionPart& part, const SectionPart& last, bool has_index);

 private:
  void fill_in(SectionPart& part) const;
  [[nodiscard]] Layout find_settled(const SectionPart& last, bool has_index) const;
  [[nodiscard]] bool has_snapshots() const { return has_rows_ || without_rows_ != 0 || rows_grow_; }
  [[nodiscard]] bool are_known() const { return strings_known_ && types_known_ && frames_known_; }
  void set_known(bool known) { strings_known_ = types_known_ = frames_known_ = known; }

  Tables rows_;
  Tables last_rows_;
  Layout settled_ = Layout::unknown;  // at the end of the file
  std::uint64_t counts_own_ = 0;      // sections of strings that count their own strings
  std::uint64_t counts_before_ = 0;   // sections of strings that count the earlier ones
  bool rows_grow_ = false;            // a snapshot followed sections of rows
  bool has_rows_ = false;             // sections of rows follow the last snapshot
  std::uint64_t without_rows_ = 0;    // snapshots without sections of rows
  bool are_strings_counted_ = true;
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
};

}  // namespace heapcheck::mvmheap::v2
