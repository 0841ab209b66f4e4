// The only file that turns raw bytes into integers and back. All formats here are little-endian. The code
// spells out the byte order, so that a big-endian host reads and writes the same files.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/core/bytes.hpp"

namespace heapcheck::core {

/// The little-endian integer at `bytes`, which must contain sizeof(T) bytes.
template <std::unsigned_integral T>
[[nodiscard]] inline T decode_le(const std::uint8_t* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  } else {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(T{bytes[i]} << (8 * i));
    return value;
  }
}

/// Appends `value` to `out` in little-endian order.
template <std::unsigned_integral T>
inline void encode_le(T value, std::vector<std::uint8_t>& out) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
  }
}

/// Writes `value` in little-endian order to `bytes`, which must have room for sizeof(T) bytes.
template <std::unsigned_integral T>
inline void store_le(T value, std::uint8_t* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(bytes, &value, sizeof(T));
  } else {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
  }
}

}  // namespace heapcheck::core
