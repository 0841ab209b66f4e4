// Hand-written leaf parsers for what JSON has in bulk: runs of plain string bytes and integers.
// They work on borrowed bytes, many at a time, and allocate nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/core/bytes.hpp"
#include "formats/core/codec.hpp"
#include "formats/core/digits.hpp"

namespace heapcheck::core::json {

/// The bytes of a string up to a quote, a backslash or a control character.
struct StringRun {
  std::size_t byte_count = 0;
  bool ascii = true;
};

/// The run at the front of `bytes`; all of them where none of the three stands in `bytes`.
[[nodiscard]] StringRun scan_string_run(ByteSpan bytes);

/// How many of the first bytes are decimal digits.
[[nodiscard]] std::size_t count_digits(ByteSpan bytes);

/// How many of the eight bytes in `word`, from the lowest on, are decimal digits.
[[nodiscard]] inline unsigned count_word_digits(std::uint64_t word) {
  const std::uint64_t value = word ^ 0x3030303030303030;
  // A carry only spoils bytes above the first that is no digit, which are not looked at.
  const std::uint64_t other = ((value + 0x7676767676767676) | value) & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(other)) / 8;
}

struct UnsignedLexeme {
  std::uint64_t value = 0;
  std::size_t byte_count = 0;
};

/// The digits at the front of `bytes` as a number. Nothing when there is none, a leading zero, a
/// value above 2^64 - 1, or when the digits reach the end of `bytes` and so may go on.
[[nodiscard]] std::optional<UnsignedLexeme> decode_unsigned(ByteSpan bytes);

/// What decode_unsigned_run() took.
struct UnsignedRun {
  std::size_t byte_count = 0;
  std::size_t count = 0;
};

/// Fills the front of `values` with integers from the front of `bytes` as long as each has one to
/// seven digits and `,` or a line feed and `,` right behind; the separator is taken too. Stops some
/// way before the end of `bytes`.
[[nodiscard]] UnsignedRun decode_unsigned_run(ByteSpan bytes, std::span<std::uint64_t> values);

}  // namespace heapcheck::core::json
