// The tokens of a JSON document, in the order in which a reader returns them.
#pragma once

#include <array>
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

}  // namespace heapcheck::core
