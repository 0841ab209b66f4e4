// The two views of bytes that every reader uses: a borrowed span, and a borrowed span together with the
// absolute offset of its first byte in the input. Neither owns memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::core {

using ByteSpan = std::span<const std::uint8_t>;
using MutableByteSpan = std::span<std::uint8_t>;

/// Bytes and their place in the input.
struct ByteView {
  ByteSpan bytes;
  std::uint64_t offset = 0;

  [[nodiscard]] constexpr Span span() const { return {offset, bytes.size()}; }
};

/// The bytes of `text`, borrowed.
inline ByteSpan as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The bytes as text, borrowed and unchecked.
inline std::string_view as_text(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace heapcheck::core
