// Decodes digits in bulk: finds the bytes of a block that are not digits, and computes the value of up to
// eight decimal or hexadecimal digits at once. Works on borrowed bytes. Callers guarantee that the bytes
// named in the comment of each function are readable.
#pragma once

#include <bit>
#include <cstdint>

#include "formats/core/bytes.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::core {

#if defined(__SSE2__)

inline constexpr std::size_t digit_block_bytes = 64;

/// One bit for each of the digit_block_bytes bytes at `bytes`. The bit is set if the byte is not a decimal
/// digit.
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

/// The value of eight decimal digits, with the first digit in the lowest byte. Zero bytes count as the digit
/// 0.
[[nodiscard]] inline std::uint64_t decode_eight_digits(std::uint64_t digits) {
  digits = (digits & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  digits = (digits & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (digits & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/// The number of hexadecimal digits at the front of the eight bytes in `word`, starting with the lowest.
[[nodiscard]] inline unsigned count_word_hex_digits(std::uint64_t word) {
  // In each sum, the highest bit of a byte shows whether the character is at or above the first character of
  // a range, or above its last character. A carry only changes bytes above the first non-ASCII byte.
  const std::uint64_t digit = (word + 0x5050505050505050) & ~(word + 0x4646464646464646);
  const std::uint64_t lower = word | 0x2020202020202020;
  const std::uint64_t letter = (lower + 0x1F1F1F1F1F1F1F1F) & ~(lower + 0x1919191919191919);
  const std::uint64_t other = (~(digit | letter) | word) & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(other)) / 8;
}

/// The value of eight hexadecimal digits, with the first digit in the lowest byte. Zero bytes count as the
/// digit 0.
[[nodiscard]] inline std::uint64_t decode_eight_hex_digits(std::uint64_t digits) {
  digits = (digits & 0x0F0F0F0F0F0F0F0F) + (digits >> 6U & 0x0101010101010101) * 9;
  digits = (digits << 4U | digits >> 8U) & 0x00FF00FF00FF00FF;
  digits = (digits << 8U | digits >> 16U) & 0x0000FFFF0000FFFF;
  return (digits << 16U | digits >> 32U) & 0x00000000FFFFFFFF;
}

/// The number of decimal digits in `value`.
[[nodiscard]] constexpr std::uint64_t digit_count(std::uint64_t value) {
  std::uint64_t count = 1;
  for (; value >= 10; value /= 10) ++count;
  return count;
}

}  // namespace heapcheck::core
