#include "formats/core/json/leaf.hpp"

#include <charconv>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::core::json {
namespace {

bool ends_run(std::uint8_t byte) { return byte == '"' || byte == '\\' || byte < 0x20; }

StringRun scan_bytes(ByteSpan bytes, StringRun run) {
  while (run.byte_count < bytes.size() && !ends_run(bytes[run.byte_count])) {
    run.ascii = run.ascii && bytes[run.byte_count] < 0x80;
    ++run.byte_count;
  }
  return run;
}

/// The value of up to 16 digits. All 16 bytes at `digits` must be readable.
std::uint64_t decode_digits(const std::uint8_t* digits, std::size_t length) {
  constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  const auto word = decode_le<std::uint64_t>(digits);
  if (length <= 8) return decode_eight_digits(word << (64 - 8 * length));
  const std::size_t rest = length - 8;
  const std::uint64_t low = decode_le<std::uint64_t>(digits + 8) << (64 - 8 * rest);
  return decode_eight_digits(word) * powers[rest] + decode_eight_digits(low);
}

/// Decodes the elements of one block. The mask of non-digits is computed once for the whole block.
UnsignedRun decode_block(const std::uint8_t* bytes, std::span<std::uint64_t> values) {
  std::uint64_t others = find_other_than_digits(bytes);
  UnsignedRun run;
  while (others != 0 && run.count < values.size()) {
    auto end = static_cast<unsigned>(std::countr_zero(others));
    const std::size_t length = end - run.byte_count;
    const std::uint8_t* const digits = bytes + run.byte_count;
    if (length - 1 >= 16 || (length > 1 && digits[0] == '0')) break;
    others &= others - 1;
    if (bytes[end] == '\n' && others != 0 && end + 1 < digit_block_bytes) {
      ++end;
      others &= others - 1;
    }
    if (bytes[end] != ',') break;
    values[run.count++] = decode_digits(digits, length);
    run.byte_count = end + 1;
  }
  return run;
}

/// Decodes a run at the front of `bytes` with wide instructions or, if they decode nothing, a plain block.
UnsignedRun decode_some(ByteSpan bytes, std::span<std::uint64_t> values) {
  constexpr std::size_t reach = digit_block_bytes + 8;
  const UnsignedRun wide = decode_wide_run(bytes, values);
  if (wide.count != 0 || bytes.size() < reach) return wide;
  return decode_block(bytes.data(), values);
}

}  // namespace

UnsignedRun decode_unsigned_run(ByteSpan bytes, std::span<std::uint64_t> values) {
  UnsignedRun total;
  while (true) {
    const UnsignedRun run = decode_some(bytes.subspan(total.byte_count), values.subspan(total.count));
    if (run.count == 0) return total;
    total.byte_count += run.byte_count;
    total.count += run.count;
  }
}

#if defined(__SSE2__)

StringRun scan_string_run(ByteSpan bytes) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1F);
  StringRun run;
  for (; bytes.size() - run.byte_count >= 16; run.byte_count += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + run.byte_count));
    const __m128i special = _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash));
    // SSE2 can only compare bytes as signed numbers, and as such, bytes of 0x80 and above are smaller than
    // control characters.
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, last_control), block);
    const auto ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(special, control)));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(block));
    if (ends != 0) {
      const unsigned before = (ends & (0U - ends)) - 1;
      run.ascii = run.ascii && (high & before) == 0;
      run.byte_count += static_cast<std::size_t>(std::countr_zero(ends));
      return run;
    }
    run.ascii = run.ascii && high == 0;
  }
  return scan_bytes(bytes, run);
}

#else

StringRun scan_string_run(ByteSpan bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  StringRun run;
  for (; bytes.size() - run.byte_count >= 8; run.byte_count += 8) {
    const auto word = decode_le<std::uint64_t>(bytes.data() + run.byte_count);
    const std::uint64_t quote = word ^ (ones * '"');
    const std::uint64_t backslash = word ^ (ones * '\\');
    // A borrow can only make a later byte look special, and bytes that look special are checked individually.
    const std::uint64_t ends =
        ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * 0x20) & ~word);
    if ((ends & high_bits) != 0) break;
    run.ascii = run.ascii && (word & high_bits) == 0;
  }
  return scan_bytes(bytes, run);
}

#endif

std::size_t count_digits(ByteSpan bytes) {
  std::size_t count = 0;
  while (bytes.size() - count >= 8) {
    const unsigned here = count_word_digits(decode_le<std::uint64_t>(bytes.data() + count));
    count += here;
    if (here < 8) return count;
  }
  while (count < bytes.size() && bytes[count] >= '0' && bytes[count] <= '9') ++count;
  return count;
}

std::optional<UnsignedLexeme> decode_unsigned(ByteSpan bytes) {
  constexpr std::size_t longest = 20;
  const std::size_t count =
      count_digits(bytes.first(bytes.size() < longest + 1 ? bytes.size() : longest + 1));
  if (count == 0 || count == bytes.size() || (count > 1 && bytes[0] == '0')) return std::nullopt;
  UnsignedLexeme lexeme{0, count};
  const std::string_view text = as_text(bytes.first(count));
  const auto status = std::from_chars(text.data(), text.data() + text.size(), lexeme.value);
  if (status.ec != std::errc{} || count > longest) return std::nullopt;
  return lexeme;
}

}  // namespace heapcheck::core::json
