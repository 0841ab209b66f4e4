#include "formats/core/json/wide_run.hpp"

#include "formats/core/text/wide_digits.hpp"

namespace heapcheck::core::json {

#if defined(__x86_64__)

namespace {

constexpr std::size_t block_bytes = 64;
/// A block has at most one number in two bytes; the last group of numbers may be incomplete.
constexpr std::size_t most_numbers = block_bytes / 2 + 8;

/// The numbers of a block, up to the last one that is complete, and up to what is not a plain integer.
struct NumberBlock {
  NumberPlaces places;
  std::size_t byte_count;  ///< of the numbers with their separators
  bool has_long;           ///< whether a number has more than 8 digits
};

HEAPCHECK_AVX512 NumberBlock find_numbers(__m512i block, __m512i values) {
  const std::uint64_t digits = _mm512_cmplt_epu8_mask(values, _mm512_set1_epi8(10));
  const std::uint64_t commas = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(','));
  const std::uint64_t feeds = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n'));
  const std::uint64_t zeros = _mm512_cmpeq_epi8_mask(values, _mm512_setzero_si512());
  const std::uint64_t after_digit = digits << 1U;
  const std::uint64_t after_feed = feeds << 1U;
  const std::uint64_t starts = digits & ~after_digit;
  // A comma follows a number, or a line feed that follows a number. Zeros do not begin longer numbers.
  const std::uint64_t wrong = ~(digits | commas | feeds) | (commas & ~(after_digit | after_feed)) |
                              (feeds & ~after_digit) | (after_feed & ~commas) |
                              (starts & zeros & (digits >> 1U)) | find_runs(digits, 17);
  const std::uint64_t sound = low_bits(static_cast<std::size_t>(std::countr_zero(wrong)));
  const auto byte_count = block_bytes - static_cast<std::size_t>(std::countl_zero(commas & sound));
  const std::uint64_t used = low_bits(byte_count);
  return {.places = {.starts = starts & used, .ends = (commas | feeds) & after_digit & used},
          .byte_count = byte_count,
          .has_long = find_runs(digits & used, 9) != 0};
}

HEAPCHECK_AVX512 void decode_short(const NumberLanes& lanes, std::size_t count, std::uint64_t* out) {
  for (std::size_t first = 0; first < count; first += 8)
    _mm512_storeu_si512(out + first, lanes.take_eight(first));
}

HEAPCHECK_AVX512 void decode_long(const NumberLanes& lanes, std::size_t count, std::uint64_t* out) {
  alignas(block_bytes) std::uint64_t halves[8];
  for (std::size_t first = 0; first < count; first += 4) {
    _mm512_store_si512(halves, lanes.take_four(first));
    for (std::size_t i = 0; i < 4; ++i) out[first + i] = halves[2 * i] * 100'000'000 + halves[2 * i + 1];
  }
}

}  // namespace

HEAPCHECK_AVX512 UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values) {
  UnsignedRun total;
  while (bytes.size() - total.byte_count >= block_bytes && values.size() - total.count >= most_numbers) {
    const __m512i block = _mm512_loadu_si512(bytes.data() + total.byte_count);
    const __m512i digits = _mm512_sub_epi8(block, _mm512_set1_epi8('0'));
    const NumberBlock found = find_numbers(block, digits);
    if (found.byte_count == 0) break;
    const auto count = static_cast<std::size_t>(std::popcount(found.places.ends));
    const NumberLanes lanes(digits, found.places);
    (found.has_long ? decode_long : decode_short)(lanes, count, values.data() + total.count);
    total.byte_count += found.byte_count;
    total.count += count;
  }
  return total;
}

#else

UnsignedRun decode_wide_run(ByteSpan, std::span<std::uint64_t>) { return {}; }

#endif

}  // namespace heapcheck::core::json
