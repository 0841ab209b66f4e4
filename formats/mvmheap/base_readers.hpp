// The base classes of the readers: one for readers that read a file from front to back, and one for readers
// that follow the index or the tables of contents of a complete file. They contain the window and the limits,
// and report findings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::mvmheap {

/// Reads from front to back. Borrows the window and the sink.
class WindowReader {
 public:
  WindowReader(const WindowReader&) = delete;
  WindowReader& operator=(const WindowReader&) = delete;

 protected:
  WindowReader(core::Window& window, const Limits& limits, core::FindingSink& sink)
      : window_(&window), limits_(limits), sink_(&sink) {}
  ~WindowReader() = default;

  void report(const Rule& rule, Span place, const std::string& path, std::string message) {
    core::report_or_count(*sink_, {&rule, {place, std::nullopt, path}, std::move(message)});
  }
  /// Returns whether the input failed. If it did, reports the reason and the number of complete snapshots.
  bool report_input_failure(Span place, const std::string& path, std::uint64_t whole_snapshots) {
    return core::report_input_failure(*window_, *sink_, {place, std::nullopt, path},
                                      count_whole_snapshots(whole_snapshots));
  }

  core::Window* window_;
  Limits limits_;
  core::FindingSink* sink_;
};

/// Seeks from one offset to the next and stops at the first wrong offset. Borrows the source and the sink;
/// owns the window.
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
    incomplete,  ///< reading has ended, but some items could not be found
    complete,    ///< reading has ended, and everything was found
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
  /// Whether all parts have been read, so that the result of is_complete() is final.
  [[nodiscard]] bool has_ended() const { return is_complete() || progress_ == Progress::incomplete; }
  /// Moves the window to `offset`.
  void seek(std::uint64_t offset) {
    const bool is_near = offset >= window_.offset() && offset - window_.offset() <= window_.capacity();
    if (is_near && window_.skip(offset - window_.offset()) == offset - window_.offset()) return;
    range_ = core::RangeSource(*source_, offset);
    window_ = core::Window(range_, core::Window::default_capacity, offset);
  }
  /// Reports an offset that cannot be followed. If the source failed, does not report anything, because the
  /// file is not to blame.
  void report(const Rule& rule, Span place, const std::string& path, std::string message) {
    if (!error_) error_ = window_.error();
    if (!error_) sink_->report({&rule, {place, std::nullopt, path}, std::move(message)});
  }

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
