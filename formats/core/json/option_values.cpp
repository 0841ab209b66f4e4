#include "formats/core/json/option_values.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heapcheck::core {
namespace {

std::unexpected<Error> refuse(std::string what) {
  return std::unexpected(Error{ErrorKind::unsupported, "in the request, " + std::move(what)});
}

Result<OptionValue> read_strings(JsonReader& json, OtherValues others) {
  std::vector<std::string> strings;
  bool is_skipped = false;
  while (json.next() != JsonToken::array_end) {
    const JsonToken token = json.token();
    if (token == JsonToken::string || token == JsonToken::number) {
      strings.emplace_back(json.text());
      continue;
    }
    if (token == JsonToken::error || others == OtherValues::refuse)
      return refuse("found no string in an array, expected only strings and numbers");
    if (token == JsonToken::object_begin || token == JsonToken::array_begin) json.skip_rest();
    is_skipped = true;
  }
  return is_skipped ? OptionValue() : OptionValue(std::move(strings));
}

OptionValue read_number(const JsonReader& json) {
  if (const auto count = json.as_unsigned()) return *count;
  return json.as_double().value_or(0);
}

/// Reads the value after a key.
Result<OptionValue> read_value(JsonReader& json, OtherValues others) {
  switch (json.next()) {
    case JsonToken::string:
      return std::string(json.text());
    case JsonToken::number:
      return read_number(json);
    case JsonToken::literal_true:
      return true;
    case JsonToken::literal_false:
      return false;
    case JsonToken::literal_null:
      return NoValue();
    case JsonToken::array_begin:
      return read_strings(json, others);
    case JsonToken::object_begin:
      if (others == OtherValues::skip && json.skip_rest() == JsonToken::object_end) return NoValue();
      break;
    default:
      break;
  }
  return refuse("found another kind of value, expected text, a number, a flag or an array");
}

/// Reads the members of an object. If `skipped` is not null, adds the names of those that are skipped.
Result<OptionValues> read_members(JsonReader& json, OtherValues others, std::span<const InnerValues> inner,
                                  std::vector<std::string>* skipped);

/// Reads the object after the key of a member with options of its own.
Result<void> read_inner(JsonReader& json, const InnerValues& member) {
  if (json.next() != JsonToken::object_begin)
    return refuse("found no object after `" + std::string(member.key) + "`");
  auto values = read_members(json, member.others, {}, member.skipped);
  if (!values) return std::unexpected(std::move(values.error()));
  *member.values = std::move(*values);
  return {};
}

Result<OptionValues> read_members(JsonReader& json, OtherValues others, std::span<const InnerValues> inner,
                                  std::vector<std::string>* skipped) {
  OptionValues values;
  while (json.next() == JsonToken::key) {
    std::string key(json.text());
    const auto member = std::ranges::find(inner, key, &InnerValues::key);
    if (member != inner.end()) {
      if (auto read = read_inner(json, *member); !read) return std::unexpected(std::move(read.error()));
      continue;
    }
    auto value = read_value(json, others);
    if (!value) return std::unexpected(std::move(value.error()));
    const bool is_skipped =
        std::holds_alternative<NoValue>(*value) && json.token() != JsonToken::literal_null;
    if (is_skipped && skipped != nullptr) skipped->push_back(key);
    values.insert_or_assign(std::move(key), std::move(*value));
  }
  if (json.token() != JsonToken::object_end) return refuse("found text that is not JSON");
  return values;
}

}  // namespace

Result<OptionValues> read_option_values(JsonReader& json, OtherValues others,
                                        std::span<const InnerValues> inner) {
  return read_members(json, others, inner, nullptr);
}

}  // namespace heapcheck::core
