// A reading position inside a ByteView. Bounds are checked by subtraction: a read that does not fit returns
// nothing and leaves the position unchanged.
#pragma once

#include <concepts>
#include <optional>

#include "formats/core/bytes.hpp"
#include "formats/core/codec.hpp"

namespace heapcheck::fuzz {

class Cursor {
 public:
  explicit Cursor(core::ByteView view) : view_(view) {}

  /// The absolute offset of the next byte.
  [[nodiscard]] std::uint64_t offset() const { return view_.offset + position_; }
  [[nodiscard]] std::size_t remaining() const { return view_.bytes.size() - position_; }

  /// The next `length` bytes, or nothing if fewer remain.
  std::optional<core::ByteView> take(std::uint64_t length) {
    if (length > remaining()) return std::nullopt;
    const auto byte_count = static_cast<std::size_t>(length);
    const core::ByteView taken{view_.bytes.subspan(position_, byte_count), offset()};
    position_ += byte_count;
    return taken;
  }

  /// The next little-endian integer, or nothing if fewer bytes remain.
  template <std::unsigned_integral T>
  std::optional<T> take_le() {
    const auto taken = take(sizeof(T));
    if (!taken) return std::nullopt;
    return core::decode_le<T>(taken->bytes.data());
  }

 private:
  core::ByteView view_;
  std::size_t position_ = 0;
};

}  // namespace heapcheck::fuzz
