#include "formats/chrome/heaps_v2/input.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formats/chrome/heaps_v2/faults.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/json/faults.hpp"

namespace heapcheck::chrome::heaps_v2 {

using core::JsonToken;

std::string Spot::path() const {
  std::string path(prefix);
  if (row != no_row) path += fmt::format("/{}", row);
  if (!member.empty()) path += fmt::format("/{}", escape_key(member));
  return path;
}

void Input::report(const Rule& rule, Span span, const Spot& spot, std::string message) {
  if (sink_->wanted(rule) == 0) return sink_->report_more(rule, 1);
  sink_->report({&rule, place_->locate(span, spot.path()), std::move(message)});
}

bool Input::take_memory(std::uint64_t byte_count, const Spot& spot) {
  if (budget_->is_spent()) return false;
  if (budget_->take(byte_count)) return true;
  report(core::rules::limit_memory, json.span(), spot, "the heaps of the trace take more than --max-memory");
  return false;
}

bool Input::enter(JsonToken required, const Spot& spot) {
  const JsonToken token = json.next();
  if (token == required) return true;
  if (token != JsonToken::error) refuse(required, spot);
  return false;
}

void Input::refuse(JsonToken required, const Spot& spot) {
  const JsonToken token = json.token();
  report(rules::value_type, json.span(), spot,
         fmt::format("{}, {} is required", describe_token(token), describe_token(required)));
  if (token == JsonToken::object_begin || token == JsonToken::array_begin) json.skip_rest();
}

void Input::refuse_repeated(const Spot& spot) {
  report(core::rules::json_object_duplicate_key, json.span(), spot,
         "a second member of that name; a member must occur once");
  json.skip_value();
}

std::optional<std::uint64_t> Input::take_integer(const Spot& spot) {
  if (json.token() != JsonToken::number) {
    if (json.token() != JsonToken::error) refuse(JsonToken::number, spot);
    return std::nullopt;
  }
  if (const auto value = json.as_unsigned()) return value;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const auto value = json.as_double();
  const std::string excerpt = core::make_excerpt(json.text());
  if (!json.is_integer() && value && *value >= 0 && *value <= largest_exact && std::floor(*value) == *value) {
    report(rules::value_fraction, json.span(), spot,
           fmt::format("{}, required is an integer as plain digits", excerpt));
    return static_cast<std::uint64_t>(*value);
  }
  report(rules::value_integer, json.span(), spot,
         fmt::format("{}, an integer from 0 to 2^64 - 1 is required", excerpt));
  return std::nullopt;
}

}  // namespace heapcheck::chrome::heaps_v2
