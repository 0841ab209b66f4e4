#include "formats/chrome/heaps_v2/context.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::chrome::heaps_v2 {

using core::JsonPath;
using core::JsonToken;

bool Context::enter(JsonToken required, const JsonPath& path) const {
  const JsonToken token = json.next();
  if (token == required) return true;
  if (token != JsonToken::error) refuse_type(required, path);
  return false;
}

void Context::refuse_type(JsonToken required, const JsonPath& path) const {
  refuse(rules::value_type, path,
         fmt::format("found {}, expected {}", describe_token(json.token()), describe_token(required)));
}

std::optional<std::uint64_t> Context::take_integer(const JsonPath& path) const {
  if (json.token() != JsonToken::number) {
    if (json.token() != JsonToken::error) refuse_type(JsonToken::number, path);
    return std::nullopt;
  }
  if (const auto value = json.as_unsigned()) return value;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const auto value = json.as_double();
  const std::string excerpt = core::make_excerpt(json.text());
  if (!json.is_integer() && value && *value >= 0 && *value <= largest_exact && std::floor(*value) == *value) {
    report(rules::value_fraction, json.span(), path,
           fmt::format("found {}, expected an integer in plain digits", excerpt));
    return static_cast<std::uint64_t>(*value);
  }
  report(rules::value_integer, json.span(), path,
         fmt::format("found {}, expected an integer from 0 to 2^64 - 1", excerpt));
  return std::nullopt;
}

}  // namespace heapcheck::chrome::heaps_v2
