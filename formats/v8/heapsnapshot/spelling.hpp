// How V8 spells a string in JSON: ASCII only, everything else as \uXXXX of its UTF-16 code units. Strings
// of the model are kept spelled like that: equal strings are equal bytes, halves of surrogate pairs
// are not lost, and writing is copying. In: borrowed bytes. Out: appended to a caller's string.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::v8::heapsnapshot {

/// Spells `text`: UTF-8 in which a lone surrogate may stand as the three bytes UTF-8 would have for it.
void append_spelling(std::string_view text, std::string& out);

/// Spells a string that is JSON already, given from behind its opening quote on: appends what stands before
/// the closing quote and says how long that is in `json`. Nothing, where that quote is not in sight, bytes
/// are not ASCII, or an escape is wrong.
[[nodiscard]] std::size_t respell(core::ByteSpan json, std::string& out);
inline constexpr std::size_t not_respelled = static_cast<std::size_t>(-1);

/// The text that is spelled so, as UTF-8; half a surrogate pair becomes U+FFFD.
[[nodiscard]] std::string decode_spelling(std::string_view spelling);

}  // namespace heapcheck::v8::heapsnapshot
