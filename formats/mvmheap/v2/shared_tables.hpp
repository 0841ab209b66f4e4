// The shared tables during the reading of a version 2 file in either direction. Records which rows are known,
// and infers the layout of the file from the sections after its snapshots. Owns the tables.
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
  /// The layout, if it is already known.
  [[nodiscard]] Layout layout() const;
  /// What the upper halves of fields mean. String counts may show this before the layout is certain.
  [[nodiscard]] UpperHalves upper_halves() const;

  void begin_snapshot(SectionPart& part);
  /// Records the result of reading a row section. The rows that a damaged section would have added are
  /// unknown.
  void enter(const Section& section, const SectionPart& part);
  /// Removes rows of the last complete section that are also in earlier sections: all of its rows if they
  /// repeat the last rows, or its first rows if they repeat all rows. Returns whether there were any such
  /// rows.
  bool drop_repeated_rows(const Section& section);
  /// Records that reading ended inside a section of this kind.
  void lose(SectionKind kind, const SectionPart& part);
  /// `count` is the number of strings before a section in layout C, according to its head. Adds placeholders
  /// for up to `most` lost strings, so that later strings get the correct indices. The lost strings remain
  /// unknown, and so do strings in the same section whose indices are in doubt. Records all of them in the
  /// part. `adds_none` states whether the section itself has no strings. Returns false and does nothing if
  /// more than `room` placeholders would be needed.
  bool fill_strings(std::uint64_t count, bool adds_none, std::uint64_t most, std::uint64_t room,
                    SectionPart& part);
  /// Whether strings have the indices that the file assigns to them.
  [[nodiscard]] bool are_strings_counted() const { return are_strings_counted_; }
  /// Records that more sections follow the rows after the current snapshot, which are therefore not the last
  /// rows.
  void continue_after_rows();
  /// Ends a snapshot. `has_rows` states whether row sections followed it.
  void end_snapshot(SectionPart& part, bool has_rows);
  /// Records that a snapshot follows the sections that appeared to be the last. If `adopts` is true, these
  /// sections contain the rows of a lost snapshot; otherwise, their purpose is unknown.
  void end_stray_rows(bool adopts);
  /// Ends the file. `last` contains the last sections, if any, and `has_index` states whether there is an
  /// index. Returns whether `part` is a final part, with changes to the tables that do not belong to a
  /// snapshot.
  bool end_file(SectionPart& part, const SectionPart& last, bool has_index);

 private:
  void fill_in(SectionPart& part) const;
  [[nodiscard]] bool tells_lost(std::uint64_t count, std::uint64_t needed);
  [[nodiscard]] LostStrings find_lost(std::uint64_t count) const;
  void replace_lost(const LostStrings& lost, std::uint64_t count);
  [[nodiscard]] Layout find_settled(const SectionPart& last, bool has_index) const;
  [[nodiscard]] bool has_snapshots() const { return has_rows_ || without_rows_ != 0 || rows_grow_; }
  [[nodiscard]] bool are_known() const { return strings_known_ && types_known_ && frames_known_; }
  void set_known(bool known) { strings_known_ = types_known_ = frames_known_ = known; }

  Tables rows_;
  Tables last_rows_;
  Layout settled_ = Layout::unknown;  // the layout at the end of the file
  std::uint64_t counts_own_ = 0;      // the number of strings sections that count their own strings
  std::uint64_t counts_before_ = 0;   // the number of strings sections that count the earlier strings
  bool rows_grow_ = false;            // whether a snapshot followed row sections
  bool has_rows_ = false;             // whether row sections follow the last snapshot
  std::uint64_t without_rows_ = 0;    // the number of snapshots without row sections
  Section last_strings_;              // the last strings section that is not at the end of the file
  std::uint64_t needed_strings_ = 0;  // the number of strings to which the last snapshot and its rows refer
  std::uint64_t doubted_ = 0;         // the excess of the last count, if it was not trusted
  bool are_strings_counted_ = true;
  bool are_strings_placed_ = true;  // whether the strings in the table have the right indices
  bool is_cut_in_strings_ = false;  // whether the input ends inside strings although earlier strings are
                                    // known
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
};

}  // namespace heapcheck::mvmheap::v2
