// Finds the next line that says something: steps over empty lines and comments, counts the empty
// lines that the format asks for, and recognises a damaged head by what must come. Borrows the window
// and the sink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/core/finding.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/layout.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"

namespace heapcheck::mvmheap::v1 {

struct FoundLine {
  LineKind kind = LineKind::strings;
  core::Span head;  ///< what the line begins with, as it stands there
};

class LineFinder {
 public:
  LineFinder(core::Window& window, LineEnds& line_ends, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), sink_(&sink) {}

  /// The next line that says something, with the window at its head; nothing at the end of the input.
  /// `expected` is the line that must come, and `path` where it belongs. Raises mvm1.line.unknown, .ignored
  /// and .empty.
  std::optional<FoundLine> find(LineKind expected, const std::string& path);

  /// Asks for one empty line before the next line that is found.
  void expect_empty_line() { is_empty_line_due_ = true; }

  /// Whether the last call stepped over lines that were not recognised.
  [[nodiscard]] bool skipped_unknown() const { return skipped_unknown_; }
  /// Whether the input ended inside the head of a line.
  [[nodiscard]] bool ended_in_head() const { return ended_in_head_; }
  /// Where the line begins that the last call found, or that it missed where the input ended.
  [[nodiscard]] std::uint64_t end_offset() const { return end_offset_; }

 private:
  bool skip_ignored(const std::string& path);
  std::optional<FoundLine> recognise(LineKind expected, const std::string& path);
  void report_missing_empty_line(const std::string& path);
  void report(const core::Rule& rule, core::Span place, const std::string& path, std::string message);

  core::Window* window_;
  LineEnds* line_ends_;
  core::FindingSink* sink_;
  bool is_empty_line_due_ = false;
  bool skipped_unknown_ = false;
  bool ended_in_head_ = false;
  std::uint64_t end_offset_ = 0;
};

}  // namespace heapcheck::mvmheap::v1
