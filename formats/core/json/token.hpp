// The results of a JSON reader: the tokens of a document, and the error that ends a damaged document.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heapcheck::core {

enum class JsonToken {
  object_begin,
  object_end,
  array_begin,
  array_end,
  key,
  string,
  number,
  literal_true,
  literal_false,
  literal_null,
  end,    ///< the document's only value is complete
  error,  ///< see JsonReader::error()
};

/// The kind of value that begins with `token`, for messages.
constexpr std::string_view describe_token(JsonToken token) {
  constexpr std::array<std::string_view, 12> names{"an object", "an object", "an array", "an array",
                                                   "a string",  "a string",  "a number", "a boolean",
                                                   "a boolean", "null",      "nothing",  "nothing"};
  return names[static_cast<std::size_t>(token)];
}

enum class JsonErrorKind {
  syntax,             ///< a byte that is not allowed where it is
  number,             ///< text that begins like a number but is not one
  escape,             ///< a backslash before something that it cannot escape
  utf8,               ///< a string that is not UTF-8
  control_character,  ///< a byte below 0x20 in a string
  depth_limit,        ///< more nested arrays and objects than Limits::max_json_depth
  text_limit,         ///< a string longer than JsonOptions::max_text, if the options make this an error
  truncated,          ///< the input ends inside the document; Window::error() may state the reason
};

struct JsonError {
  /// The absolute offset of the first byte that cannot be part of the document; for limits, the offset of the
  /// bracket or string that exceeds them.
  std::uint64_t offset = 0;
  JsonErrorKind kind = JsonErrorKind::syntax;
  /// One lower-case clause that states what was found and what was expected.
  std::string message = {};
};

namespace json {

/// `'x'` or `byte 0x1f`, for messages.
[[nodiscard]] inline std::string describe_byte(std::uint8_t byte) {
  if (byte > 0x20 && byte < 0x7F) return {'\'', static_cast<char>(byte), '\''};
  constexpr const char* hex = "0123456789abcdef";
  return {'b', 'y', 't', 'e', ' ', '0', 'x', hex[byte >> 4], hex[byte & 0xF]};
}

}  // namespace json
}  // namespace heapcheck::core
