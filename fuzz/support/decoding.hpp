// Shared by the targets for grammars: a byte-by-byte decoder for numbers, and truncated inputs.
#pragma once

#include <algorithm>
#include <optional>

#include "formats/core/codec.hpp"
#include "fuzz/support/property.hpp"

namespace heapcheck::fuzz {

/// Decodes the little-endian number at `at`. Returns nothing if `bytes` ends before the number does.
template <class T>
std::optional<T> decode(core::ByteSpan bytes, std::size_t at = 0) {
  if (bytes.size() < at + sizeof(T)) return std::nullopt;
  return core::decode_le<T>(bytes.data() + at);
}

/// Calls `check` with no bytes, then with the first byte, the first two, and so on up to the first 40.
template <class Check>
void check_fronts(core::ByteSpan bytes, Check&& check) {
  for (std::size_t length = 0; length <= std::min<std::size_t>(bytes.size(), 40); ++length) {
    check(bytes.first(length));
  }
}

}  // namespace heapcheck::fuzz
