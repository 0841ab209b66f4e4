// Finds the next line that says something: steps over empty lines and comments, counts the empty
// lines that the format asks for, and recognises a damaged head by what must come. Borrows the window
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
  Span head;  ///< what the line begins with, as it stands there
};

/// How many bytes at the front of a line stand for the head of `kind`, which is damaged in a character
/// or two; nothing where they are too far from it.
std::optional<std::size_t> find_damaged_head(std::string_view line, LineKind kind);

class LineFinder {
 public:
  LineFinder(core::Window& window, LineEnds& line_ends, core::FindingSink& sink)
      : window_(&window), line_ends_(&line_ends), sink_(&sink) {}

  /// The next line that says something, with the window at its head; nothing at the end of the input.
  /// `expected` is the line that must come, or a snapshot where the file may end, and `path` where it
  /// belongs. Raises mvm1.line.unknown, and where it finds what it expects, .ignored and .empty.
  std::optional<FoundLine> find(LineKind expected, const std::string& path);

  /// Asks for one empty line before the next line that is found, or, behind damage that may have
  /// taken it, only allows one.
  void expect_empty_line(bool is_required) {
    empty_line_ = is_required ? EmptyLine::required : EmptyLine::allowed;
  }

  /// Whether the last call stepped over lines that were not recognised.
  [[nodiscard]] bool skipped_unknown() const { return skipped_unknown_; }
  /// Whether the input ended inside the head of a line.
  [[nodiscard]] bool ended_in_head() const { return ended_in_head_; }
  /// Where the line begins that the last call found, or that it missed where the input ended.
  [[nodiscard]] std::uint64_t end_offset() const { return end_offset_; }

 private:
  enum class EmptyLine : std::uint8_t { none, allowed, required };

  bool skip_ignored();
  std::optional<FoundLine> recognise(LineKind expected, const std::string& path);
  std::optional<FoundLine> recognise_damaged(std::string_view text, LineKind expected,
                                             const std::string& path);
  void report_ignored(const std::string& path);
  void report(const Rule& rule, Span place, const std::string& path, std::string message);

  core::Window* window_;
  LineEnds* line_ends_;
  core::FindingSink* sink_;
  EmptyLine empty_line_ = EmptyLine::none;
  Span ignored_;  // from the first to the last line that the last call stepped over for nothing
  std::uint64_t ignored_count_ = 0;
  bool is_damaged_ = false;  // the head that the last call found
  bool skipped_unknown_ = false;
  bool ended_in_head_ = false;
  std::uint64_t end_offset_ = 0;
};

}  // namespace heapcheck::mvmheap::v1
