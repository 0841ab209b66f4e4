// The tokens that a reader returns for a JSON document, as text, so that two runs can be compared.
#pragma once

#include <string>

#include "formats/core/json/reader.hpp"

namespace heapcheck::tests {

inline constexpr std::string_view token_names[] = {"{",      "}",    "[",     "]",    "key", "string",
                                                   "number", "true", "false", "null", "end", "error"};

/// `[@0+1 number@1+2:12 ... `, up to the end or the error.
inline std::string make_transcript(core::JsonReader& reader) {
  std::string transcript;
  for (;;) {
    const core::JsonToken token = reader.next();
    transcript += token_names[static_cast<std::size_t>(token)];
    transcript += '@' + std::to_string(reader.span().offset) + '+' + std::to_string(reader.span().length);
    if (!reader.text().empty()) transcript += ':' + std::string(reader.text());
    if (reader.truncated_text()) transcript += "...";
    transcript += ' ';
    if (token == core::JsonToken::end) return transcript;
    if (token == core::JsonToken::error) return transcript + reader.error()->message;
  }
}

}  // namespace heapcheck::tests
