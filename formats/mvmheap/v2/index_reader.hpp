// Reads a version 2 file the second way: from the trailer at its end to the index, and by that to the
// sections of each snapshot. What the front reader (reader.hpp) finds of a sound file is the same. The index
// of layout C leaves out the rows behind a snapshot: where 0 bytes are listed and strings stand there that
// are not yet the last ones, those are read through to learn their size. Owns the shared tables and the
// container; borrows source and sink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/v2/assembly.hpp"
#include "formats/mvmheap/v2/container.hpp"
#include "formats/mvmheap/v2/part.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::mvmheap::v2 {

class IndexReader {
 public:
  /// `source` is a whole file, whose magic the caller has checked with is_v2().
  IndexReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink);
  IndexReader(const IndexReader&) = delete;
  IndexReader& operator=(const IndexReader&) = delete;

  /// Reads the next snapshot that the index lists; false where there is none. Parts are those of
  /// FrontReader::read_part(). Reports what sections raise, and where the index cannot be followed
  /// mvm2.section.order (another section, or none, stands there), mvm2.section.framing (a section has another
  /// size) or mvm2.file.truncated; and stops there.
  bool read_part(SectionPart& part);

  [[nodiscard]] const SectionContainer& container() const { return container_; }
  [[nodiscard]] const Tables& tables() const { return assembly_.tables().rows(); }
  [[nodiscard]] const Tables& last_tables() const { return assembly_.tables().last_rows(); }
  /// Whether everything that the index lists could be followed.
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// Why the source failed, if it did.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void read_start();
  void read_entries(std::uint64_t start, const grammar::Trailer& trailer);
  void read_snapshot(SectionPart& part);
  bool read_rows(SectionPart& part, const grammar::IndexEntry& entry);
  bool read_last_sections(SectionPart& part, bool is_last);
  bool read_end(SectionPart& part);
  bool read_section(SectionPart& part, SectionKind kind, std::optional<std::uint64_t> size, bool is_last);
  void seek(std::uint64_t offset);
  void fail(const Rule& rule, Span place, const std::string& path, std::string message);

  core::SeekableSource* source_;
  Limits limits_;
  core::FindingSink* sink_;
  core::RangeSource range_;
  core::Window window_;
  Assembly assembly_;
  SectionContainer& container_;  // the assembly's
  SectionPart last_;
  std::uint64_t last_start_ = 0;  // of the last sections
  std::uint64_t next_ = 16;       // where the next snapshot starts
  bool rows_are_last_ = false;    // the last snapshot was read with the last sections, as in layout B
  bool started_ = false;
  bool ended_ = false;
  bool complete_ = false;
  std::optional<Error> error_;
};

}  // namespace heapcheck::mvmheap::v2
