// Finds the next line with content. Skips empty lines and comments, checks for the empty lines that the
// format requires, and recognises a damaged head by comparing it with the expected one. Borrows the window
// and the sink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/layout.hpp"
#include "formats/mvmheap/v1/line_ends.hpp"

namespace heapcheck::mvmheap::v1 {

struct FoundLine {
  LineKind kind = LineKind::strings;
  Span head;  ///< the head in the file
};

/// The length of the head of `kind` at the front of a line if at most two of its characters are damaged;
/// empty if more are damaged.
std::optional<std::size_t> find_damaged_head(std::string_view line, LineKind kind);

class LineFinder {
 public:
  LineFinder(core::Window& window, LineEnds& line_ends, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), sink_(&sink) {}

  /// Finds the next line with content and moves the window to its head. Returns nothing at the end of the
  /// input. `expected` is the line that must come next or, if the file may also end here, the first line of a
  /// snapshot. `path` is the place of the line in the model. Reports violations of mvm1.line.unknown and, if
  /// the line is the expected line, of mvm1.line.ignored and mvm1.line.empty.
  std::optional<FoundLine> find(LineKind expected, const std::string& path);

  /// Requires an empty line before the next line that is found. If `is_required` is false because damage may
  /// have removed the empty line, the line is only allowed.
  void expect_empty_line(bool is_required) {
    empty_line_ = is_required ? EmptyLine::required : EmptyLine::allowed;
  }

  /// Whether the last call skipped lines that were not recognised.
  [[nodiscard]] bool skipped_unknown() const { return skipped_unknown_; }
  /// Whether the input ended inside the head of a line.
  [[nodiscard]] bool ended_in_head() const { return ended_in_head_; }
  /// The start of the line that the last call found, or the end of the input if it found none.
  [[nodiscard]] std::uint64_t end_offset() const { return end_offset_; }

 private:
  enum class EmptyLine : std::uint8_t { none, allowed, required };

  bool skip_ignored();
  std::optional<FoundLine> recognise(LineKind expected, const std::string& path);
  std::uint64_t skip_unknown_line();
  std::optional<FoundLine> recognise_damaged(std::string_view text, LineKind expected,
                                             const std::string& path);
  void report_ignored(const std::string& path);
  void report(const Rule& rule, Span place, const std::string& path, std::string message);

  core::Window* window_;
  LineEnds* line_ends_;
  core::FindingSink* sink_;
  EmptyLine empty_line_ = EmptyLine::none;
  Span ignored_;  // from the first to the last line that the last call skipped as superfluous
  std::uint64_t ignored_count_ = 0;
  bool is_damaged_ = false;  // whether the head found by the last call is damaged
  bool skipped_unknown_ = false;
  bool ended_in_head_ = false;
  std::uint64_t end_offset_ = 0;
};

}  // namespace heapcheck::mvmheap::v1
