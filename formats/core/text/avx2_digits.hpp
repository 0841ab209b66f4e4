// Decodes decimal numbers with AVX2: finds all numbers in a block of 64 bytes at once, and computes the
// values of four numbers at a time. For functions marked with HEAPCHECK_AVX2, on processors that can run them
// (hot_loop.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/core/hot_loop.hpp"
#include "formats/core/text/digits.hpp"
#include "formats/core/text/wide_block.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace heapcheck::core {

/// A block of 64 bytes.
class Avx2Block {
 public:
  explicit HEAPCHECK_AVX2 Avx2Block(const std::uint8_t* bytes)
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32))) {}

  [[nodiscard]] HEAPCHECK_AVX2 NumberMasks find_masks(char separator) const {
    return {.digits = join_masks(is_digit(low_), is_digit(high_)),
            .zeros = find_byte('0'),
            .commas = find_byte(','),
            .separators = find_byte(separator)};
  }

 private:
  static HEAPCHECK_AVX2 std::uint64_t join_masks(__m256i low, __m256i high) {
    const auto low_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
    const auto high_bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
    return std::uint64_t{high_bits} << 32U | low_bits;
  }

  [[nodiscard]] HEAPCHECK_AVX2 std::uint64_t find_byte(char byte) const {
    const __m256i wanted = _mm256_set1_epi8(byte);
    return join_masks(_mm256_cmpeq_epi8(low_, wanted), _mm256_cmpeq_epi8(high_, wanted));
  }

  static HEAPCHECK_AVX2 __m256i is_digit(__m256i bytes) {
    const __m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    return _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(9)), value);
  }

  __m256i low_;
  __m256i high_;
};

/// Replaces the digits that take_digits() returned with the values of the numbers.
HEAPCHECK_AVX2 inline void decode_taken(std::span<std::uint64_t> numbers) {
  std::size_t i = 0;
  for (; numbers.size() - i >= 4; i += 4) {
    auto* const four = reinterpret_cast<__m256i*>(numbers.data() + i);
    const __m256i digits = _mm256_and_si256(_mm256_loadu_si256(four), _mm256_set1_epi8(0x0F));
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010A));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    const __m256i high = _mm256_mul_epu32(fours, _mm256_set1_epi64x(10'000));
    _mm256_storeu_si256(four, _mm256_add_epi64(high, _mm256_srli_epi64(fours, 32)));
  }
  for (; i < numbers.size(); ++i) numbers[i] = decode_eight_digits(numbers[i]);
}

}  // namespace heapcheck::core

#endif
