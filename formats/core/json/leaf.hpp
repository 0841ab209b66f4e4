// Hand-written leaf parsers for the bulk of JSON text: runs of plain string bytes, integers, and pieces of
// arrays for several threads. They process many borrowed bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/text/digits.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heapcheck::core::json {

/// The bytes of a string before a quote, a backslash or a control character.
struct StringRun {
  std::size_t byte_count = 0;
  bool ascii = true;
};

/// The run at the front of `bytes`, or all of `bytes` if they contain no quote, backslash or control
/// character.
[[nodiscard]] StringRun scan_string_run(ByteSpan bytes);

/// The number of bytes that count_plain() looks at.
inline constexpr std::size_t plain_reach = 32;

#if defined(__SSE2__)
/// One bit for each of 16 bytes. The bit is set if the byte must be escaped in a string.
[[nodiscard]] inline std::uint32_t find_other_than_plain(const std::uint8_t* bytes) {
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  // As signed numbers, bytes of 0x80 and above are smaller than control characters.
  const __m128i other = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
  const __m128i special =
      _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(other, special)));
}
#endif

/// The number of plain ASCII bytes at the front of the plain_reach bytes at `bytes`. Plain bytes are bytes
/// other than quotes, backslashes and control characters.
[[nodiscard]] inline std::size_t count_plain(const std::uint8_t* bytes) {
#if defined(__SSE2__)
  return static_cast<std::size_t>(
      std::countr_zero(find_other_than_plain(bytes) | find_other_than_plain(bytes + 16) << 16));
#else
  std::size_t count = 0;
  while (count < plain_reach && bytes[count] >= 0x20 && bytes[count] < 0x80 && bytes[count] != '"' &&
         bytes[count] != '\\') {
    ++count;
  }
  return count;
#endif
}

/// The number of decimal digits at the front of `bytes`.
[[nodiscard]] std::size_t count_digits(ByteSpan bytes);

/// The number of decimal digits at the front of the eight bytes in `word`, starting with the lowest.
[[nodiscard]] inline unsigned count_word_digits(std::uint64_t word) {
  const std::uint64_t value = word ^ 0x3030303030303030;
  // A carry only changes bytes above the first non-digit, and those are ignored.
  const std::uint64_t other = ((value + 0x7676767676767676) | value) & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(other)) / 8;
}

struct UnsignedLexeme {
  std::uint64_t value = 0;
  std::size_t byte_count = 0;
};

/// The digits at the front of `bytes` as a number. Returns nothing if there are no digits, if there is a
/// leading zero, if the value exceeds 2^64 - 1, or if the digits extend to the end of `bytes` and might
/// therefore continue.
[[nodiscard]] std::optional<UnsignedLexeme> decode_unsigned(ByteSpan bytes);

/// The part of its input that decode_unsigned_run() decoded.
struct UnsignedRun {
  std::size_t byte_count = 0;
  std::size_t count = 0;
};

/// Fills the front of `values` with integers from the front of `bytes`, as long as each has 1 to 16 digits
/// and is directly followed by `,` or by a line feed and `,`. Also consumes this separator. Stops some
/// distance before the end of `bytes`. The result does not depend on used_lanes().
[[nodiscard]] UnsignedRun decode_unsigned_run(ByteSpan bytes, std::span<std::uint64_t> values);

/// Does the work of decode_unsigned_run() with used_lanes(), if any. Stops further from the end of `values`,
/// and overwrites some values after those that it counts.
[[nodiscard]] UnsignedRun decode_wide_run(ByteSpan bytes, std::span<std::uint64_t> values);

/// Cuts `bytes` into pieces, each of which contains `comma_count` commas and ends with the last of them. The
/// bytes after the last piece are left out. If the elements are numbers, each piece contains `comma_count`
/// numbers.
[[nodiscard]] std::vector<ByteSpan> cut_at_commas(ByteSpan bytes, std::size_t comma_count);

/// Decodes a piece with exactly one element for each of `values`. All elements must be plain integers from 0
/// to 2^64 - 1, each directly followed by `,` or by a line feed and `,`. Returns whether the piece meets
/// these conditions.
[[nodiscard]] bool decode_piece(ByteSpan piece, std::span<std::uint64_t> values);

}  // namespace heapcheck::core::json
