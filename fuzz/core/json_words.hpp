// A JSON document as a sequence of words from heapcheck's reader or from simdjson, for comparison.
#pragma once

#include <simdjson.h>

#include <bit>
#include <string>

#include "formats/core/json/reader.hpp"

namespace heapcheck::fuzz {

using core::JsonToken;
namespace dom = simdjson::dom;

/// Tokens with their text, integers, and doubles as their bits.
struct Words {
  std::string text;
  bool is_comparable = true;  ///< false if the two readers differ on purpose

  void add(JsonToken token, std::string_view word = {}) {
    (text += static_cast<char>('A' + static_cast<int>(token))).append(word) += '\0';
  }
  template <class T>
  void add_integer(T value) {
    add(JsonToken::number, std::to_string(value));
  }
  void add_real(double value) {
    add(JsonToken::number, "bits " + std::to_string(std::bit_cast<std::uint64_t>(value)));
  }
};

inline void add_token(const core::JsonReader& reader, Words& words) {
  if (reader.lone_surrogate()) words.is_comparable = false;
  if (reader.token() != JsonToken::number) return words.add(reader.token(), reader.text());
  if (const auto number = reader.as_signed()) return words.add_integer(*number);
  if (const auto number = reader.as_unsigned()) return words.add_integer(*number);
  const auto real = reader.as_double();
  if (!real || reader.is_integer()) words.is_comparable = false;
  if (real) words.add_real(*real);
}

/// The limits restrict the depth of the recursion.
inline void add_element(const dom::element& value, Words& words) {  // NOLINT(misc-no-recursion)
  if (value.is_object()) {
    const dom::object members = value.get_object().value_unsafe();
    words.add(JsonToken::object_begin);
    for (const auto& [key, member] : members) {
      words.add(JsonToken::key, key);
      add_element(member, words);
    }
    return words.add(JsonToken::object_end);
  }
  if (value.is_array()) {
    const dom::array items = value.get_array().value_unsafe();
    words.add(JsonToken::array_begin);
    for (const dom::element item : items) add_element(item, words);
    return words.add(JsonToken::array_end);
  }
  if (value.is_string()) return words.add(JsonToken::string, value.get_string().value_unsafe());
  if (value.is_null()) return words.add(JsonToken::literal_null);
  if (value.type() == dom::element_type::DOUBLE) return words.add_real(value.get_double().value_unsafe());
  if (value.is_int64()) return words.add_integer(value.get_int64().value_unsafe());
  if (value.is_uint64()) return words.add_integer(value.get_uint64().value_unsafe());
  words.add(value.get_bool().value_unsafe() ? JsonToken::literal_true : JsonToken::literal_false);
}

}  // namespace heapcheck::fuzz
