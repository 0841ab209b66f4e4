// The shared tables while a version 2 file is read, whichever way: which rows are known, and by what stands
// behind the snapshots which layout the file has. Owns the tables.
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
  /// Where the rows of a section go.
  [[nodiscard]] Tables& rows_of(const Section& section) { return section.is_last ? last_rows_ : rows_; }
  /// What can be told so far.
  [[nodiscard]] Layout layout() const;
  /// The same of the fields of rows: counts of strings tell it before the layout is certain.
  [[nodiscard]] UpperHalves upper_halves() const;

  void begin_snapshot(SectionPart& part);
  /// Notes what became of a section of rows; what a damaged one would have added is unknown.
  void enter(const Section& section, const SectionPart& part);
  /// Notes that the input ended, or was given up, inside a section of this kind.
  void lose(SectionKind kind, const SectionPart& part);
  /// Where layout C says that `count` strings stand before, puts placeholders for those that were lost, up to
  /// `most`, so that the later ones have their numbers. They stay unknown. False, and nothing is done, where
  /// that takes more than `room` of them.
  bool fill_strings(std::uint64_t count, std::uint64_t most, std::uint64_t room, SectionPart& part);
  /// Whether strings have the numbers that the file gives them.
  [[nodiscard]] bool are_strings_counted() const { return are_strings_counted_; }
  /// Notes that other sections follow the rows of the snapshot that ends: they are not the last ones.
  void go_on_behind_rows();
  /// Ends a snapshot; `has_rows` says whether sections of rows stood behind it.
  void end_snapshot(SectionPart& part, bool has_rows);
  /// Notes that what was taken for the last sections is followed by a snapshot: with `adopts`, they are rows
  /// of a snapshot that was lost, otherwise nobody knows.
  void end_stray_rows(bool adopts);
  /// Ends the file, with the last sections, if any, in `last`; `has_index` says whether there is one. Whether
  /// `part` now tells of the tables what no snapshot did.
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
  std::uint64_t counts_own_ = 0;      // sections of strings that count their own
  std::uint64_t counts_before_ = 0;   // and those that count the ones before
  bool rows_grow_ = false;            // a snapshot followed sections of rows
  bool has_rows_ = false;             // sections of rows stand behind the last snapshot
  std::uint64_t without_rows_ = 0;    // snapshots without sections of rows
  bool are_strings_counted_ = true;
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
};

}  // namespace heapcheck::mvmheap::v2
