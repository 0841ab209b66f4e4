// How V8 spells a string in JSON: in ASCII only, with \uXXXX for every other UTF-16 code unit. The model
// keeps its strings in this spelling: equal strings are equal bytes, half a surrogate pair is not lost, and
// writing is copying. Input: borrowed bytes. Output: appended to the caller's string.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Spells `text`, which is UTF-8; a lone surrogate may be given as the three bytes UTF-8 would have for it.
void append_spelling(std::string_view text, std::string& out);

/// Spells a string that is already JSON, given without its opening quote: appends what comes before the
/// closing quote and returns the length of that in `json`. Returns not_respelled if the closing quote is not
/// in sight, a byte is not ASCII, or an escape is wrong.
[[nodiscard]] std::size_t respell(core::ByteSpan json, std::string& out);
inline constexpr std::size_t not_respelled = static_cast<std::size_t>(-1);

/// The text with that spelling, as UTF-8; half a surrogate pair becomes U+FFFD.
[[nodiscard]] std::string decode_spelling(std::string_view spelling);

}  // namespace heapcheck::v8::heapsnapshot
