#include "formats/core/json/leaf.hpp"

#include <array>

#include "formats/core/hot_loop.hpp"
#include "formats/core/text/avx2_digits.hpp"
#include "formats/core/text/avx512_digits.hpp"
#include "formats/core/text/digits.hpp"
#include "formats/core/text/wide_block.hpp"

namespace heapcheck::core::json {

#if defined(__x86_64__)

namespace {

/// A block has at most one number for every two bytes; the last group of numbers may be incomplete.
constexpr std::size_t most_numbers = wide_block_bytes / 2 + 8;

/// The numbers up to the last complete number, or up to the first element that is not a plain integer.
[[gnu::always_inline]] inline NumberPlaces find_numbers(const NumberMasks& masks) {
  const std::uint64_t feeds = masks.separators;
  const std::uint64_t after_digit = masks.digits << 1U;
  const std::uint64_t after_feed = feeds << 1U;
  // A comma must follow a number, or a line feed that follows a number.
  const std::uint64_t wrong = ~(masks.digits | masks.commas | feeds) |
                              (masks.commas & ~(after_digit | after_feed)) | (feeds & ~after_digit) |
                              (after_feed & ~masks.commas) | masks.leading_zeros() |
                              find_runs<17>(masks.digits);
  return find_sound_numbers(masks, wrong, masks.commas);
}

/// The first digits of numbers with more than 8 digits.
[[gnu::always_inline]] inline std::uint64_t find_long(const NumberMasks& masks, const NumberPlaces& places) {
  return find_runs<9>(masks.digits) & places.starts;
}

bool has_room(ByteSpan bytes, std::span<std::uint64_t> values, const UnsignedRun& total) {
  return bytes.size() - total.byte_count >= wide_block_reach && values.size() - total.count >= most_numbers;
}

/// Decodes all numbers in a block, which may have up to 16 digits each. Returns how many there are.
HEAPCHECK_AVX2 std::size_t decode_any_length(const std::uint8_t* block, NumberPlaces& places,
                                             std::uint64_t* out) {
  std::array<std::uint64_t, most_numbers> heads;  // the digits before the last eight
  std::size_t count = 0;
  for (; places.ends != 0; ++count) {
    const auto start = static_cast<unsigned>(std::countr_zero(places.starts));
    const auto length = static_cast<unsigned>(std::countr_zero(places.ends)) - start;
    const std::uint64_t digits = take_digits(block, places);
    const bool is_long = length > 8;
    heads[count] = is_long ? decode_le<std::uint64_t>(block + start) << (128 - 8 * length) : 0;
    out[count] = is_long ? decode_le<std::uint64_t>(block + start + length - 8) : digits;
  }
  decode_taken({heads.data(), count});
  decode_taken({out, count});
  for (std::size_t i = 0; i < count; ++i) out[i] += heads[i] * 100'000'000;
  return count;
}

HEAPCHECK_AVX2 UnsignedRun decode_avx2(ByteSpan bytes, std::span<std::uint64_t> values) {
  UnsignedRun total;
  std::size_t first = 0;  // the first of the values that are still digits
  while (has_room(bytes, values, total)) {
    const std::uint8_t* const block = bytes.data() + total.byte_count;
    const NumberMasks masks = Avx2Block(block).find_masks('\n');
    NumberPlaces places = find_numbers(masks);
    if (places.byte_count == 0) break;
    if (find_long(masks, places) != 0) {
      decode_taken(values.subspan(first, total.count - first));
      total.count += decode_any_length(block, places, values.data() + total.count);
      first = total.count;
    }
    while (places.ends != 0) values[total.count++] = take_digits(block, places);
    total.byte_count += places.byte_count;
  }
  decode_taken(values.subspan(first, total.count - first));
  return total;
}

/// Adds the digits before the last eight to the numbers in a block that have 9 to 16 digits. Few numbers have
/// that many, even in blocks where some do.
HEAPCHECK_AVX512 void add_heads(const std::uint8_t* block, const NumberPlaces& places, std::uint64_t longs,
                                std::uint64_t* out) {
  for (; longs != 0; longs &= longs - 1) {
    const auto start = static_cast<unsigned>(std::countr_zero(longs));
    const std::uint64_t before = low_bits(start);
    const unsigned length = static_cast<unsigned>(std::countr_zero(places.ends & ~before)) - start;
    const std::uint64_t head = decode_le<std::uint64_t>(block + start) << (128 - 8 * length);
    out[std::popcount(places.starts & before)] += decode_eight_digits(head) * 100'000'000;
  }
}

HEAPCHECK_AVX512 UnsignedRun decode_avx512(ByteSpan bytes, std::span<std::uint64_t> values) {
  UnsignedRun total;
  while (has_room(bytes, values, total)) {
    const std::uint8_t* const start = bytes.data() + total.byte_count;
    const Avx512Block block(start);
    const NumberMasks masks = block.find_masks('\n');
    const NumberPlaces places = find_numbers(masks);
    if (places.byte_count == 0) break;
    const auto count = static_cast<std::size_t>(std::popcount(places.ends));
    const NumberLanes lanes(block, places);
    std::uint64_t* const out = values.data() + total.count;
    for (std::size_t first = 0; first < count; first += 8)
      _mm512_storeu_si512(out + first, lanes.take_eight(first));
    add_heads(start, places, find_long(masks, places), out);
    total.byte_count += places.byte_count;
    total.count += count;
  }
  return total;
}

}  // namespace

UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values) {
  switch (used_lanes()) {
    case Lanes::none:
      return {};
    case Lanes::avx2:
      return decode_avx2(bytes, values);
    case Lanes::avx512:
      return decode_avx512(bytes, values);
  }
  return {};
}

#else

UnsignedRun decode_wide_run(ByteSpan, std::span<std::uint64_t>) { return {}; }

#endif

}  // namespace heapcheck::core::json
