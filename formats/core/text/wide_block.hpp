// The code shared by all number decoders that use wide instructions. It finds the places of the numbers in a
// block of 64 bytes, as masks with one bit for each byte. Works on borrowed bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "formats/core/codec.hpp"

namespace heapcheck::core {

/// The number of bytes in a block that is decoded with wide instructions.
inline constexpr std::size_t wide_block_bytes = 64;
/// The number of bytes that must be readable at the start of a block. The plain loops need the same number,
/// so that all loops stop at the same byte.
inline constexpr std::size_t wide_block_reach = wide_block_bytes + 8;

/// The bits in `mask` that begin a run of `length` bits. The length is a template argument because the
/// compiler would not unroll a loop over a variable.
template <unsigned length>
[[nodiscard]] constexpr std::uint64_t find_runs(std::uint64_t mask) {
  if constexpr (length == 1) {
    return mask;
  } else {
    constexpr unsigned half = length / 2;
    const std::uint64_t shorter = find_runs<length - half>(mask);
    return shorter & shorter >> half;
  }
}

/// A mask of the lowest `count` bits, where `count` may be 64.
[[nodiscard]] constexpr std::uint64_t low_bits(std::size_t count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// The kinds of bytes in a block: one bit for each byte.
struct NumberMasks {
  std::uint64_t digits;
  std::uint64_t zeros;
  std::uint64_t commas;
  std::uint64_t separators;  ///< separators that are not commas

  /// The first digits of numbers.
  [[nodiscard]] constexpr std::uint64_t starts() const { return digits & ~(digits << 1U); }
  /// The separators that follow numbers.
  [[nodiscard]] constexpr std::uint64_t ends() const { return (commas | separators) & (digits << 1U); }
  /// The zeros that begin longer numbers.
  [[nodiscard]] constexpr std::uint64_t leading_zeros() const { return starts() & zeros & (digits >> 1U); }
};

/// The places of the numbers in a block: one bit for each byte.
struct NumberPlaces {
  std::uint64_t starts;    ///< first digits
  std::uint64_t ends;      ///< bytes after the last digits, one for each of `starts`
  std::size_t byte_count;  ///< the length of the numbers with their separators
};

/// The numbers before the first of the `wrong` bytes, up to the last of the `stops` in front of that byte.
[[nodiscard]] [[gnu::always_inline]] inline NumberPlaces find_sound_numbers(const NumberMasks& masks,
                                                                            std::uint64_t wrong,
                                                                            std::uint64_t stops) {
  const std::uint64_t sound = low_bits(static_cast<std::size_t>(std::countr_zero(wrong)));
  const auto byte_count = wide_block_bytes - static_cast<std::size_t>(std::countl_zero(stops & sound));
  const std::uint64_t used = low_bits(byte_count);
  return {.starts = masks.starts() & used, .ends = masks.ends() & used, .byte_count = byte_count};
}

/// Removes the first number of a block, which has at most 8 digits, from `places`. Returns its digits, with
/// the last digit in the highest byte and zero bytes below the first digit.
[[nodiscard]] [[gnu::always_inline]] inline std::uint64_t take_digits(const std::uint8_t* block,
                                                                      NumberPlaces& places) {
  const auto start = static_cast<unsigned>(std::countr_zero(places.starts));
  const auto end = static_cast<unsigned>(std::countr_zero(places.ends));
  places.starts &= places.starts - 1;
  places.ends &= places.ends - 1;
  return decode_le<std::uint64_t>(block + start) << ((64 - 8 * (end - start)) & 63U);
}

}  // namespace heapcheck::core
