#include "formats/core/json/wide_run.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>
#include <bit>

#include "formats/core/hot_loop.hpp"

namespace heapcheck::core::json {
namespace {

constexpr std::size_t block_bytes = 64;
/// A block has at most one number in two bytes; the last group of numbers may be incomplete.
constexpr std::size_t most_numbers = block_bytes / 2 + 8;

/// Where the numbers of a block are: one bit for each byte.
struct NumberBlock {
  std::uint64_t starts;    ///< first digits of numbers
  std::uint64_t ends;      ///< bytes after the last digits of numbers
  std::size_t byte_count;  ///< of the numbers with their separators, from the front of the block
  bool has_long;           ///< whether a number has more than 8 digits
};

/// The bits that begin a run of `length` bits in `mask`.
std::uint64_t find_runs(std::uint64_t mask, unsigned length) {
  std::uint64_t runs = mask;
  for (unsigned have = 1; have < length;) {
    const unsigned step = have < length - have ? have : length - have;
    runs &= runs >> step;
    have += step;
  }
  return runs;
}

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
  const std::uint64_t before_wrong = wrong == 0 ? ~std::uint64_t{0} : (wrong & (0 - wrong)) - 1;
  const auto byte_count = block_bytes - static_cast<std::size_t>(std::countl_zero(commas & before_wrong));
  const std::uint64_t used =
      byte_count == block_bytes ? ~std::uint64_t{0} : (std::uint64_t{1} << byte_count) - 1;
  return {starts & used, (commas | feeds) & after_digit & used, byte_count, find_runs(digits & used, 9) != 0};
}

/// The positions of the bits of a mask, one in each byte.
HEAPCHECK_AVX512 __m512i find_positions(std::uint64_t mask) {
  alignas(64) static constexpr auto all = [] {
    std::array<std::uint8_t, block_bytes> numbers{};
    for (std::size_t i = 0; i < block_bytes; ++i) numbers[i] = static_cast<std::uint8_t>(i);
    return numbers;
  }();
  return _mm512_maskz_compress_epi8(mask, _mm512_load_si512(all.data()));
}

/// Numbers at the given positions in a block, each in a lane of `lane_bytes` with its last digit in the last
/// byte and zeros in front.
template <unsigned lane_bytes>
HEAPCHECK_AVX512 __m512i spread_digits(__m512i values, __m512i starts, __m512i ends, std::size_t first) {
  alignas(64) static constexpr auto lanes = [] {
    std::array<std::uint8_t, block_bytes> numbers{};
    for (std::size_t i = 0; i < block_bytes; ++i) numbers[i] = static_cast<std::uint8_t>(i / lane_bytes);
    return numbers;
  }();
  alignas(64) static constexpr auto offsets = [] {
    std::array<std::int8_t, block_bytes> numbers{};
    for (std::size_t i = 0; i < block_bytes; ++i)
      numbers[i] = static_cast<std::int8_t>(static_cast<int>(i % lane_bytes) - static_cast<int>(lane_bytes));
    return numbers;
  }();
  const __m512i lane =
      _mm512_add_epi8(_mm512_load_si512(lanes.data()), _mm512_set1_epi8(static_cast<char>(first)));
  const __m512i place =
      _mm512_add_epi8(_mm512_permutexvar_epi8(lane, ends), _mm512_load_si512(offsets.data()));
  const __mmask64 is_digit = _mm512_cmpge_epi8_mask(place, _mm512_permutexvar_epi8(lane, starts));
  return _mm512_maskz_permutexvar_epi8(is_digit, place, values);
}

/// The values of lanes of 8 digits.
HEAPCHECK_AVX512 __m512i add_digits(__m512i digits) {
  const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A));
  const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
  return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10'000)), _mm512_srli_epi64(fours, 32));
}

HEAPCHECK_AVX512 void decode_short(__m512i values, const NumberBlock& found, std::size_t count,
                                   std::uint64_t* out) {
  const __m512i starts = find_positions(found.starts);
  const __m512i ends = find_positions(found.ends);
  for (std::size_t first = 0; first < count; first += 8)
    _mm512_storeu_si512(out + first, add_digits(spread_digits<8>(values, starts, ends, first)));
}

/// The same for numbers of up to 16 digits, each in two lanes.
HEAPCHECK_AVX512 void decode_long(__m512i values, const NumberBlock& found, std::size_t count,
                                  std::uint64_t* out) {
  const __m512i starts = find_positions(found.starts);
  const __m512i ends = find_positions(found.ends);
  alignas(64) std::uint64_t halves[8];
  for (std::size_t first = 0; first < count; first += 4) {
    _mm512_store_si512(halves, add_digits(spread_digits<16>(values, starts, ends, first)));
    for (std::size_t i = 0; i < 4; ++i) out[first + i] = halves[2 * i] * 100'000'000 + halves[2 * i + 1];
  }
}

HEAPCHECK_AVX512 UnsignedRun decode_blocks(ByteSpan bytes, std::span<std::uint64_t> values) {
  UnsignedRun total;
  while (bytes.size() - total.byte_count >= block_bytes && values.size() - total.count >= most_numbers) {
    const __m512i block = _mm512_loadu_si512(bytes.data() + total.byte_count);
    const __m512i digits = _mm512_sub_epi8(block, _mm512_set1_epi8('0'));
    const NumberBlock found = find_numbers(block, digits);
    const auto count = static_cast<std::size_t>(std::popcount(found.ends));
    if (count == 0) break;
    std::uint64_t* const out = values.data() + total.count;
    if (found.has_long)
      decode_long(digits, found, count, out);
    else
      decode_short(digits, found, count, out);
    total.byte_count += found.byte_count;
    total.count += count;
  }
  return total;
}

}  // namespace

bool has_wide_run() {
  static const bool has = __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vbmi") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return has;
}

UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values) {
  return decode_blocks(bytes, values);
}

}  // namespace heapcheck::core::json

#else

namespace heapcheck::core::json {

bool has_wide_run() { return false; }
UnsignedRun decode_wide_run(ByteSpan, std::span<std::uint64_t>) { return {}; }

}  // namespace heapcheck::core::json

#endif
