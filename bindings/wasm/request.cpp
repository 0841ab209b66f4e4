#include "bindings/wasm/request.hpp"

#include <utility>

#include "formats/core/bytes.hpp"
#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"
#include "formats/core/window.hpp"

namespace heapcheck::wasm {
namespace {

using core::JsonReader;
using core::JsonToken;

std::unexpected<Error> refuse(std::string what) {
  return std::unexpected(Error{ErrorKind::unsupported, "in the request, " + std::move(what)});
}

Result<OptionValue> read_strings(JsonReader& json) {
  std::vector<std::string> strings;
  while (json.next() != JsonToken::array_end) {
    if (json.token() != JsonToken::string && json.token() != JsonToken::number)
      return refuse("found no string in an array, expected only strings and numbers");
    strings.emplace_back(json.text());
  }
  return strings;
}

OptionValue read_number(const JsonReader& json) {
  if (const auto count = json.as_unsigned()) return *count;
  return json.as_double().value_or(0);
}

/// Reads the value after a key.
Result<OptionValue> read_value(JsonReader& json) {
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
      return read_strings(json);
    default:
      return refuse("found another kind of value, expected text, a number, a flag or an array");
  }
}

/// Reads the rest of an object. Its member `options` goes into `options` if that is not null.
Result<OptionValues> read_object(JsonReader& json, OptionValues* options) {
  OptionValues values;
  while (json.next() == JsonToken::key) {
    std::string key(json.text());
    if (options != nullptr && key == "options") {
      if (json.next() != JsonToken::object_begin) return refuse("found no object after `options`");
      auto inner = read_object(json, nullptr);
      if (!inner) return inner;
      *options = std::move(*inner);
      continue;
    }
    auto value = read_value(json);
    if (!value) return std::unexpected(value.error());
    values.insert_or_assign(std::move(key), std::move(*value));
  }
  if (json.token() != JsonToken::object_end) return refuse("found text that is not JSON");
  return values;
}

template <class Value>
Value find(const OptionValues& values, std::string_view name, Value otherwise) {
  const auto found = values.find(name);
  const Value* const value = found == values.end() ? nullptr : std::get_if<Value>(&found->second);
  return value == nullptr ? std::move(otherwise) : *value;
}

}  // namespace

std::string Request::text(std::string_view name) const { return find(values, name, std::string()); }
std::uint64_t Request::count(std::string_view name, std::uint64_t otherwise) const {
  return find(values, name, otherwise);
}
bool Request::flag(std::string_view name) const { return find(values, name, false); }
std::optional<double> Request::share(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  if (const auto* const count = std::get_if<std::uint64_t>(&found->second))
    return static_cast<double>(*count);
  const auto* const number = std::get_if<double>(&found->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}
std::vector<std::string> Request::strings(std::string_view name) const {
  const auto found = values.find(name);
  if (found == values.end()) return {};
  if (const auto* const one = std::get_if<std::string>(&found->second)) return {*one};
  const auto* const several = std::get_if<std::vector<std::string>>(&found->second);
  return several == nullptr ? std::vector<std::string>() : *several;
}

Result<Request> parse_request(std::string_view text) {
  core::MemorySource source(core::as_bytes(text));
  core::Window window(source);
  JsonReader json(window, Limits{});
  if (json.next() != JsonToken::object_begin) return refuse("found no JSON object");
  Request request;
  auto values = read_object(json, &request.options);
  if (!values) return std::unexpected(values.error());
  request.values = std::move(*values);
  return request;
}

}  // namespace heapcheck::wasm
