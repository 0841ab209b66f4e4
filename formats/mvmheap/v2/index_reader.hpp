// Reads a version 2 file the second way: from the trailer at its end to the index, and by that to the
// sections of each snapshot. What the front reader (reader.hpp) finds of a sound file is the same. The index
// of layout C leaves out the rows behind a snapshot: where 0 bytes are listed and strings stand there that
// are not yet the last ones, those are read through to learn their size. Owns the shared tables and the
// container; borrows source and sink.
#pragma once

#include "formats/mvmheap/seeking_reader.hpp"
#include "formats/mvmheap/v2/assembly.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

class IndexReader final : public SeekingReader {
 public:
  /// `source` is a whole file, whose magic the caller has checked with is_v2().
  IndexReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);

  /// Leaves out the graphs of other snapshots: only the rows behind them are read.
  void read_only_snapshot(std::uint64_t index) { only_snapshot_ = index; }

  /// Reads the next snapshot that the index lists; false where there is none. Parts are those of
  /// FrontReader::read_part(). Reports what sections raise, and where the index cannot be followed
  /// mvm2.section.order (another section, or none, stands there), mvm2.section.framing (a section has another
  /// size) or mvm2.file.truncated; and stops there.
  bool read_part(SectionPart& part);

  [[nodiscard]] const SectionContainer& container() const { return container_; }
  [[nodiscard]] const Tables& tables() const { return assembly_.tables().rows(); }
  [[nodiscard]] const Tables& last_tables() const { return assembly_.tables().last_rows(); }

 private:
  void read_start();
  void read_entries(std::uint64_t start, const grammar::Trailer& trailer);
  void read_snapshot(SectionPart& part);
  bool read_graph(SectionPart& part, const grammar::IndexEntry& entry);
  bool pass_graph(const SectionPart& part, const grammar::IndexEntry& entry);
  bool read_rows(SectionPart& part, const grammar::IndexEntry& entry);
  bool read_last_sections(SectionPart& part, bool is_last);
  bool read_end(SectionPart& part);
  bool read_section(SectionPart& part, SectionKind kind, std::optional<std::uint64_t> size, bool is_last);
  void fail(const Rule& rule, Span place, const std::string& path, std::string message);

  Assembly assembly_;
  SectionContainer& container_;  // the assembly's
  std::optional<std::uint64_t> only_snapshot_;
  SectionPart last_;
  std::uint64_t last_start_ = 0;  // of the last sections
  std::uint64_t next_ = 16;       // where the next snapshot starts
  bool rows_are_last_ = false;    // the last snapshot was read with the last sections, as in layout B
};

}  // namespace heapcheck::mvmheap::v2
