// Spells strings in JSON as V8 does: in ASCII only, with \uXXXX for every other UTF-16 code unit. The model
// keeps its strings in this spelling, so that equal strings consist of the same bytes, half a surrogate pair
// is not lost, and strings are written by copying them. Input: borrowed bytes. Output: appended to the
// caller's string.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Spells `text`, which is UTF-8; a lone surrogate may be given as three bytes, encoded like other code
/// points.
void append_spelling(std::string_view text, std::string& out);

/// Spells a string that is already JSON and whose opening quote was removed: appends the part before the
/// closing quote and returns the length of that part in `json`. Returns not_respelled if there is no closing
/// quote in `json`, a byte is not ASCII, or an escape is invalid.
[[nodiscard]] std::size_t respell(core::ByteSpan json, std::string& out);
inline constexpr std::size_t not_respelled = static_cast<std::size_t>(-1);

/// The text with that spelling, as UTF-8; half a surrogate pair becomes U+FFFD.
[[nodiscard]] std::string decode_spelling(std::string_view spelling);

}  // namespace heapcheck::v8::heapsnapshot
