#include "formats/chrome/heaps_v2/context.hpp"

#include <map>
#include <optional>
#include <string>

#include "formats/core/text/parse_number.hpp"

namespace heapcheck::chrome::heaps_v2 {
namespace {

using core::JsonToken;

struct Size {
  std::uint64_t value = 0;
  Span span;
};

/// Enters the next value if it is an object; otherwise, skips it.
bool enter_object(core::JsonReader& json) {
  const JsonToken token = json.next();
  if (token == JsonToken::array_begin) json.skip_rest();
  return token == JsonToken::object_begin;
}

/// Reads an attribute. Returns nothing if it is not a number of bytes.
std::optional<Size> read_attribute(core::JsonReader& json) {
  std::optional<Size> size;
  bool is_bytes = false;
  if (!enter_object(json)) return std::nullopt;
  while (json.next() == JsonToken::key) {
    const bool is_units = json.text() == "units";
    if (!is_units && json.text() != "value") {
      json.skip_value();
      continue;
    }
    const JsonToken token = json.next();
    core::skip_nested(json);
    if (token != JsonToken::string) continue;
    if (is_units) {
      is_bytes = json.text() == "bytes";
    } else if (const auto value = core::parse_number(json.text(), 16)) {
      size = {*value, json.span()};
    }
  }
  // Whether the value is a number of bytes is not known until now, because `units` may come after `value`.
  return is_bytes ? size : std::nullopt;
}

/// The attributes of an allocator dump that are stated in bytes.
struct Attributes {
  std::optional<Size> size;
  std::optional<Size> virtual_size;
  std::optional<Size> objects_size;

  /// Where to store the attribute `name`, if the attribute matters.
  std::optional<Size>* find(std::string_view name) {
    if (name == "size") return &size;
    if (name == "virtual_size") return &virtual_size;
    return name == "shim_allocated_objects_size" ? &objects_size : nullptr;
  }
};

Attributes read_dump(core::JsonReader& json) {
  Attributes attributes;
  if (!enter_object(json)) return attributes;
  while (json.next() == JsonToken::key) {
    if (json.text() != "attrs") {
      json.skip_value();
      continue;
    }
    if (!enter_object(json)) continue;
    while (json.next() == JsonToken::key) {
      if (std::optional<Size>* const place = attributes.find(json.text())) {
        *place = read_attribute(json);
      } else {
        json.skip_value();
      }
    }
  }
  return attributes;
}

}  // namespace

std::vector<Total> read_totals(const Context& context) {
  constexpr std::string_view objects_suffix = "/allocated_objects";
  std::vector<Total> totals;
  std::map<std::string, std::uint64_t, std::less<>> objects;
  core::JsonReader& json = context.json;
  if (!enter_object(json)) return totals;
  while (json.next() == JsonToken::key) {
    std::string name(json.text());
    const auto slash = name.find('/');
    const bool is_objects = slash != std::string::npos && name.substr(slash) == objects_suffix;
    if ((slash != std::string::npos && !is_objects) || !context.take_memory(2 * name.size() + 100, {})) {
      json.skip_value();
    } else if (is_objects) {
      if (const auto size = read_dump(json).objects_size) objects.emplace(name.substr(0, slash), size->value);
    } else if (const auto found = read_dump(json); found.size) {
      const auto virtual_size = found.virtual_size ? std::optional(found.virtual_size->value) : std::nullopt;
      totals.push_back({std::move(name), found.size->value, found.size->span, virtual_size, std::nullopt});
    }
  }
  // An allocator's objects may come before or after the allocator, so they are assigned to it at the end.
  for (Total& total : totals) {
    const auto found = objects.find(total.allocator);
    if (found != objects.end()) total.objects_size = found->second;
  }
  return totals;
}

}  // namespace heapcheck::chrome::heaps_v2
