// The bytes that a JSON reader works on: a position in the visible bytes of a Window, which is kept
// separately so that advancing by one byte does not take a function call. attach() takes over the window's
// position, and release() moves the window to the position reached. Bytes stay valid until a call to need()
// has to fetch more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/core/window.hpp"

namespace heapcheck::core::json {

/// U+FEFF in UTF-8. It is not part of JSON, but some files begin with it.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Input {
 public:
  static constexpr std::size_t sight = 1024;  ///< the number of bytes that leaf parsers usually see

  explicit Input(Window& window) : window_(&window) {}

  /// Takes the bytes that start at the window's position, unless it already has them.
  void attach() {
    if (end_ == nullptr) show(window_->peek(1));
  }
  /// Moves the window to the position reached and stops using its bytes.
  void release() {
    settle();
    begin_ = here_ = end_ = nullptr;
  }

  /// The absolute offset of the next byte.
  [[nodiscard]] std::uint64_t offset() const {
    return window_->offset() + static_cast<std::uint64_t>(here_ - begin_);
  }
  [[nodiscard]] std::size_t available() const { return static_cast<std::size_t>(end_ - here_); }
  [[nodiscard]] ByteSpan bytes() const { return {here_, end_}; }
  [[nodiscard]] const std::uint8_t* data() const { return here_; }
  [[nodiscard]] std::uint8_t front() const { return *here_; }

  void advance(std::size_t byte_count) { here_ += byte_count; }

  /// Makes `byte_count` bytes available, which must not exceed the capacity. Returns false if the input ends
  /// first.
  bool need(std::size_t byte_count) {
    if (available() >= byte_count) return true;
    settle();
    show(window_->peek(byte_count));
    return available() >= byte_count;
  }

  /// Makes as many of the next `byte_count` bytes available as the input and the window permit.
  void want(std::size_t byte_count) { need(std::min(byte_count, window_->capacity())); }

  /// Does the same for bytes that may turn out not to be needed (see Window::look_ahead()).
  void look_ahead(std::size_t byte_count) {
    settle();
    show(window_->look_ahead(std::max(byte_count, available())));
  }

  /// Skips white space. Returns whether a byte follows.
  bool skip_space() {
    for (;;) {
      while (here_ != end_ && is_space(*here_)) ++here_;
      if (here_ != end_) return true;
      if (!need(1)) return false;
    }
  }

  static bool is_space(std::uint8_t byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
  }

 private:
  void settle() {
    window_->consume(static_cast<std::size_t>(here_ - begin_));
    begin_ = here_;
  }
  void show(ByteSpan bytes) {
    begin_ = here_ = bytes.data();
    end_ = begin_ + bytes.size();
  }

  Window* window_;
  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* here_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

/// Skips a byte order mark at the window's position and returns its span, or nothing if there is none.
inline std::optional<Span> skip_byte_order_mark(Window& window) {
  const std::uint64_t offset = window.offset();
  if (as_text(window.look(byte_order_mark.size())) != byte_order_mark) return std::nullopt;
  window.consume(byte_order_mark.size());
  return Span{offset, byte_order_mark.size()};
}

/// Skips white space at the window's position.
inline void skip_space(Window& window) {
  for (ByteSpan bytes = window.peek(1); !bytes.empty(); bytes = window.peek(1)) {
    const auto other = std::ranges::find_if_not(bytes, Input::is_space);
    window.consume(static_cast<std::size_t>(other - bytes.begin()));
    if (other != bytes.end()) return;
  }
}

}  // namespace heapcheck::core::json
