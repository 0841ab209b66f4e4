// The shared tables while a version 2 file is read, whichever way: which rows are known, and by what stands
// behind the snapshots which layout the file has. Owns the tables.
#pragma once

#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

class SharedTables {
 public:
  [[nodiscard]] const Tables& rows() const { return rows_; }
  [[nodiscard]] const Tables& last_rows() const { return last_rows_; }
  /// Where the rows of a section go.
  [[nodiscard]] Tables& rows_of(const Section& section) { return section.is_last ? last_rows_ : rows_; }
  [[nodiscard]] Layout layout() const { return layout_; }

  void begin_snapshot(Part& part);
  void begin_end(Part& part) const { part.before = rows_.counts(); }
  /// Notes what became of a section of rows; what a damaged one would have added is unknown.
  void enter(const Section& section, const Part& part);
  /// Notes that the input ended, or was given up, inside a section of this kind.
  void lose(SectionKind kind, const Part& part);
  /// Ends a snapshot; `has_rows` says whether sections of rows stood behind it.
  void end_snapshot(Part& part, bool has_rows);
  /// Ends the file; `has_index` says whether it has one. Whether this part tells of the tables what no
  /// snapshot did.
  bool end_file(Part& part, bool has_index);

 private:
  void fill_in(Part& part) const;

  Tables rows_;
  Tables last_rows_;
  Layout layout_ = Layout::unknown;
  bool has_rows_ = false;           // sections of rows stand behind the last snapshot
  std::uint64_t without_rows_ = 0;  // snapshots without sections of rows
  bool strings_known_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
};

}  // namespace heapcheck::mvmheap::v2
