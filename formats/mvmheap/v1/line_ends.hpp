// Skips line ends and counts those with a carriage return, which can only have been added by a conversion.
// Borrows the window.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/v1/grammar.hpp"

namespace heapcheck::mvmheap::v1 {

class LineEnds {
 public:
  explicit LineEnds(core::Window& window) : window_(&window) {}

  /// Skips a line end if the window is at one.
  bool consume() {
    const core::ByteSpan bytes = window_->peek(2);
    const auto length = grammar::line_end(bytes);
    if (!length) return false;
    if (*length > 1) {
      if (!first_) first_ = Span{window_->offset(), *length};
      ++count_;
    }
    ++all_;
    window_->consume(*length);
    return true;
  }

  /// Skips the rest of a line of any length, and its end. Returns the number of bytes skipped.
  std::uint64_t skip_line() {
    const std::uint64_t start = window_->offset();
    for (core::ByteSpan bytes = window_->peek(1); !bytes.empty(); bytes = window_->peek(1)) {
      const std::size_t end = core::as_text(bytes).find('\n');
      window_->skip_in_search(end == std::string_view::npos ? bytes.size() : end + 1);
      if (end != std::string_view::npos) break;
    }
    return window_->offset() - start;
  }

  /// The first line end with a carriage return.
  [[nodiscard]] const std::optional<Span>& first() const { return first_; }
  /// The number of line ends with a carriage return.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Whether every line end has a carriage return.
  [[nodiscard]] bool have_all() const { return count_ == all_; }

 private:
  core::Window* window_;
  std::optional<Span> first_;
  std::uint64_t count_ = 0;
  std::uint64_t all_ = 0;  // the number of all line ends, except those of skipped lines
};

}  // namespace heapcheck::mvmheap::v1
