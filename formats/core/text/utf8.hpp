// UTF-8 as defined by RFC 3629: without overlong forms, surrogates, or anything above U+10FFFF. The functions
// take borrowed bytes and return offsets, code points or text. Nothing is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::core {

/// Replaces a character that cannot be shown.
inline constexpr char32_t replacement_character = U'\uFFFD';

/// A code point and the number of bytes that encode it.
struct DecodedUtf8 {
  char32_t code_point = 0;
  std::size_t byte_count = 0;
};

/// The offset of the first byte of the first ill-formed sequence. A sequence that is cut off by the end of
/// `bytes` is ill-formed. Empty if all of `bytes` is UTF-8.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(ByteSpan bytes);

/// The number of bytes (0 to 3) at the end of `bytes` that begin an incomplete sequence, which further bytes
/// could complete.
[[nodiscard]] std::size_t find_cut_utf8(ByteSpan bytes);

/// The code point at the front of `bytes`, or nothing if the bytes there are ill-formed.
[[nodiscard]] std::optional<DecodedUtf8> decode_utf8(ByteSpan bytes);

/// Appends `code_point` to `out`. A surrogate or a number above U+10FFFF becomes U+FFFD.
void encode_utf8(char32_t code_point, std::string& out);

/// The text with U+FFFD in place of each byte that does not belong to a well-formed sequence.
[[nodiscard]] std::string make_utf8(std::string_view text);

}  // namespace heapcheck::core
