// Decodes decimal numbers with AVX-512: decodes all numbers in a block of 64 bytes, eight at a time. For
// functions marked with HEAPCHECK_AVX512, on processors that can run them (hot_loop.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "formats/core/hot_loop.hpp"
#include "formats/core/text/wide_block.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace heapcheck::core {

/// A block of 64 bytes.
class Avx512Block {
 public:
  explicit HEAPCHECK_AVX512 Avx512Block(const std::uint8_t* bytes)
      : bytes_(_mm512_loadu_si512(bytes)), values_(_mm512_sub_epi8(bytes_, _mm512_set1_epi8('0'))) {}

  /// The values of the digits; other bytes do not matter.
  [[nodiscard]] HEAPCHECK_AVX512 __m512i values() const { return values_; }

  [[nodiscard]] HEAPCHECK_AVX512 NumberMasks find_masks(char separator) const {
    return {.digits = _mm512_cmplt_epu8_mask(values_, _mm512_set1_epi8(10)),
            .zeros = find_byte('0'),
            .commas = find_byte(','),
            .separators = find_byte(separator)};
  }

 private:
  [[nodiscard]] HEAPCHECK_AVX512 std::uint64_t find_byte(char byte) const {
    return _mm512_cmpeq_epi8_mask(bytes_, _mm512_set1_epi8(byte));
  }

  __m512i bytes_;
  __m512i values_;
};

/// Moves numbers into lanes.
class NumberLanes {
 public:
  HEAPCHECK_AVX512 NumberLanes(const Avx512Block& block, const NumberPlaces& places)
      : digits_(block.values()), starts_(find_positions(places.starts)), ends_(find_positions(places.ends)) {}

  /// The values of the last 8 digits of eight numbers, starting with number `first`. The values are
  /// unspecified for numbers that do not exist.
  [[nodiscard]] HEAPCHECK_AVX512 __m512i take_eight(std::size_t first) const {
    return add_digits(spread(first));
  }

 private:
  static constexpr std::size_t block_bytes = 64;
  using Bytes = std::array<std::int8_t, block_bytes>;

  template <class ByteOf>
  static constexpr Bytes make_bytes(ByteOf byte_of) {
    Bytes bytes{};
    for (std::size_t i = 0; i < block_bytes; ++i)
      bytes[i] = static_cast<std::int8_t>(byte_of(static_cast<int>(i)));
    return bytes;
  }

  /// The positions of the bits of a mask, one in each byte.
  static HEAPCHECK_AVX512 __m512i find_positions(std::uint64_t mask) {
    alignas(block_bytes) static constexpr Bytes all = make_bytes([](int i) { return i; });
    return _mm512_maskz_compress_epi8(mask, _mm512_load_si512(all.data()));
  }

  /// The last digits of each number, moved to the end of its lane and preceded by zeros if there are fewer
  /// than 8.
  [[nodiscard]] HEAPCHECK_AVX512 __m512i spread(std::size_t first) const {
    constexpr int lane_bytes = 8;
    alignas(block_bytes) static constexpr Bytes lanes = make_bytes([](int i) { return i / lane_bytes; });
    alignas(block_bytes) static constexpr Bytes before_end =
        make_bytes([](int i) { return i % lane_bytes - lane_bytes; });
    const __m512i number =
        _mm512_add_epi8(_mm512_load_si512(lanes.data()), _mm512_set1_epi8(static_cast<char>(first)));
    const __m512i place =
        _mm512_add_epi8(_mm512_permutexvar_epi8(number, ends_), _mm512_load_si512(before_end.data()));
    const __mmask64 is_digit = _mm512_cmpge_epi8_mask(place, _mm512_permutexvar_epi8(number, starts_));
    return _mm512_maskz_permutexvar_epi8(is_digit, place, digits_);
  }

  /// The values of lanes of 8 digits.
  static HEAPCHECK_AVX512 __m512i add_digits(__m512i digits) {
    const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A));
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10'000)), _mm512_srli_epi64(fours, 32));
  }

  __m512i digits_;
  __m512i starts_;
  __m512i ends_;
};

}  // namespace heapcheck::core

#endif
