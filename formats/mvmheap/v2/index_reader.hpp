// Reads a version 2 file from the end: from the trailer to the index, and from there to the sections of each
// snapshot. For an intact file, the result is the same as that of the front reader (reader.hpp). In layout C,
// the index omits the rows after each snapshot. If an entry lists 0 bytes for them but is followed by a
// strings section that is not the last one, the rows are read to determine their size. Owns the shared tables
// and the container; borrows the source and the sink.
#pragma once

#include "formats/mvmheap/base_readers.hpp"
#include "formats/mvmheap/v2/assembly.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"

namespace heapcheck::mvmheap::v2 {

class IndexReader final : public SeekingReader {
 public:
  /// `source` must be a complete file whose magic the caller has checked with is_v2().
  IndexReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);

  /// Makes the reader skip the graphs of all other snapshots and read only their rows.
  void read_only_snapshot(std::uint64_t index) { only_snapshot_ = index; }

  /// Reads the next snapshot in the index. Returns false if there is none. Parts are the same as those from
  /// FrontReader::read_part(). Reports faults in sections. If the index cannot be followed, reports
  /// mvm2.section.order (a section is not where the index says), mvm2.section.framing (a section does not
  /// have the size that the index says) or mvm2.file.truncated, and stops there.
  bool read_part(SectionPart& part);

  [[nodiscard]] const SectionContainer& container() const { return container_; }
  [[nodiscard]] const Tables& tables() const { return assembly_.tables().rows(); }

 private:
  void read_start();
  void read_entries(std::uint64_t start, const grammar::Trailer& trailer);
  void read_snapshot(SectionPart& part);
  bool read_graph(SectionPart& part, const grammar::IndexEntry& entry);
  bool skip_graph(const SectionPart& part, const grammar::IndexEntry& entry);
  bool read_rows(SectionPart& part, const grammar::IndexEntry& entry);
  bool read_last_sections(SectionPart& part, bool is_last);
  bool read_end(SectionPart& part);
  bool read_section(SectionPart& part, SectionKind kind, std::optional<std::uint64_t> size, bool is_last);
  void fail(const Rule& rule, Span place, const std::string& path, std::string message);

  Assembly assembly_;
  SectionContainer& container_;  // the assembly's
  std::optional<std::uint64_t> only_snapshot_;
  SectionPart last_;
  std::uint64_t last_start_ = 0;  // the offset of the last sections
  std::uint64_t next_ = 16;       // the start of the next snapshot
  bool rows_are_last_ = false;    // whether the last snapshot was read together with the last sections, as in
                                  // layout B
};

}  // namespace heapcheck::mvmheap::v2
