// The tokens that a JSON document is read in.
#pragma once

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
  end,    ///< the document's one value is complete
  error,  ///< see JsonReader::error()
};

/// What a value that begins with `token` is, for messages.
constexpr std::string_view describe_token(JsonToken token) {
  switch (token) {
    case JsonToken::object_begin:
    case JsonToken::object_end:
      return "an object";
    case JsonToken::array_begin:
    case JsonToken::array_end:
      return "an array";
    case JsonToken::string:
    case JsonToken::key:
      return "a string";
    case JsonToken::number:
      return "a number";
    case JsonToken::literal_true:
    case JsonToken::literal_false:
      return "a boolean";
    case JsonToken::literal_null:
      return "null";
    case JsonToken::end:
    case JsonToken::error:
      break;
  }
  return "nothing";
}

}  // namespace heapcheck::core
