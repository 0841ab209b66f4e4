#include "formats/chrome/legacy/context.hpp"

#include <fmt/format.h>

#include "formats/chrome/legacy/faults.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome::legacy {

using core::JsonPath;
using core::JsonToken;

/// Returns `bytes` plus the memory that all strings take up, or the largest number if no more ids can be
/// added.
std::uint64_t Context::with_texts(std::uint64_t bytes) const {
  return model.ids.is_full() ? UINT64_MAX : bytes + model.strings.memory() + model.ids.memory();
}

void Context::reject(const JsonPath& path, std::string_view required) const {
  const JsonToken token = json.token();
  if (token == JsonToken::error) return;
  refuse(rules::value_type, path, fmt::format("found {}, expected {}", describe_token(token), required));
}

bool Context::is_at(JsonToken required, const JsonPath& path) const {
  if (json.token() == required) return true;
  reject(path, describe_token(required));
  return false;
}

bool Context::take_id(const JsonPath& path, std::uint32_t& id) const {
  const bool is_number = json.token() == JsonToken::number && json.is_integer();
  if (!is_number && json.token() != JsonToken::string) {
    reject(path, "a string");
    return false;
  }
  if (is_cut(path)) return false;
  if (is_number) {
    report(rules::id_number, json.span(), path,
           fmt::format("found the number {}, expected a string", core::make_excerpt(json.text())));
  }
  id = model.ids.intern(json.text());
  return true;
}

core::PoolIndex Context::take_name(const JsonPath& path) const {
  return model.strings.intern(is_cut(path) ? std::string_view() : json.text());
}

/// Returns whether the current string is too long to be kept.
bool Context::is_cut(const JsonPath& path) const {
  if (!json.truncated_text()) return false;
  report(core::rules::limit_json_text, json.span(), path,
         fmt::format("the string takes up {} bytes, more than can be kept", json.span().length));
  return true;
}

}  // namespace heapcheck::chrome::legacy
