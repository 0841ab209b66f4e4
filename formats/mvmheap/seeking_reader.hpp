// Base class of the readers that follow the index or the tables of contents of a complete file. They seek
// from offset to offset, and stop at the first wrong offset. Borrows the source and the sink; owns the
// window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/finding_sink.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap {

class SeekingReader {
 public:
  SeekingReader(const SeekingReader&) = delete;
  SeekingReader& operator=(const SeekingReader&) = delete;

  /// Whether everything that the file lists could be read.
  [[nodiscard]] bool is_complete() const { return progress_ == Progress::complete; }
  /// The error of the source, if it failed.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 protected:
  enum class Progress : std::uint8_t {
    not_begun,
    parts,       ///< the list has been read, and parts follow
    incomplete,  ///< ended, but something could not be found
    complete,    ///< ended, and everything was found
  };

  SeekingReader(core::SeekableSource& source, const Limits& limits, core::FindingSink& sink)
      : source_(&source), limits_(limits), sink_(&sink), range_(source, 0), window_(range_) {}
  ~SeekingReader() = default;

  /// Returns true on the first call, and then moves on to reading parts.
  bool begin() {
    const bool is_first = progress_ == Progress::not_begun;
    if (is_first) progress_ = Progress::parts;
    return is_first;
  }
  /// Whether all parts have been read, so that is_complete() is final.
  [[nodiscard]] bool has_ended() const { return is_complete() || progress_ == Progress::incomplete; }
  /// Moves the window to `offset`.
  void seek(std::uint64_t offset);
  /// Reports something that cannot be followed. If the source failed, reports nothing, because the file is
  /// not to blame.
  void report(const Rule& rule, Span place, const std::string& path, std::string message);

  core::SeekableSource* source_;
  Limits limits_;
  core::FindingSink* sink_;
  core::RangeSource range_;
  core::Window window_;
  Progress progress_ = Progress::not_begun;

 private:
  std::optional<Error> error_;
};

}  // namespace heapcheck::mvmheap
