// Decodes decimal digits in bulk: finds the bytes of a block that are not digits, and computes the value of
// up to eight digits at once. Works on borrowed bytes; callers guarantee that as many bytes can be read as
// the function's comment says.
#pragma once

#include <cstdint>

#include "formats/core/bytes.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::core {

#if defined(__SSE2__)

inline constexpr std::size_t digit_block_bytes = 64;

/// One bit for each of the digit_block_bytes bytes at `bytes`, set if the byte is not a decimal digit.
[[nodiscard]] inline std::uint64_t find_other_than_digits(const std::uint8_t* bytes) {
  const __m128i zero = _mm_set1_epi8('0');
  const __m128i nine = _mm_set1_epi8(9);
  std::uint64_t digits = 0;
  for (unsigned i = 0; i < digit_block_bytes; i += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const __m128i value = _mm_sub_epi8(block, zero);
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(value, nine), value);
    digits |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(is_digit))} << i;
  }
  return ~digits;
}

#else

inline constexpr std::size_t digit_block_bytes = 8;

[[nodiscard]] inline std::uint64_t find_other_than_digits(const std::uint8_t* bytes) {
  std::uint64_t others = 0;
  for (unsigned i = 0; i < digit_block_bytes; ++i) {
    others |= std::uint64_t{bytes[i] < '0' || bytes[i] > '9'} << i;
  }
  return others;
}

#endif

/// The value of eight decimal digits, the first in the lowest byte; bytes of 0 count as the digit 0.
[[nodiscard]] inline std::uint64_t decode_eight_digits(std::uint64_t digits) {
  digits = (digits & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  digits = (digits & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (digits & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

}  // namespace heapcheck::core
