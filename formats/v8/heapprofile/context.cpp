#include "formats/v8/heapprofile/context.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formats/core/faults.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::v8::heapprofile {

/// Whether the current key is new in objects of this kind. Also false if too many keys have been seen.
bool Context::is_new(std::string_view kind) {
  constexpr std::size_t most_names = 64;
  constexpr std::size_t most_bytes = 200;
  if (unknown_.size() >= most_names) return false;
  return unknown_.insert(fmt::format("{} {}", kind, json.text().substr(0, most_bytes))).second;
}

std::string Context::describe_unknown(std::string_view kind) const {
  return fmt::format("a {} has a member \"{}\", which V8 does not write", kind,
                     core::make_excerpt(json.text()));
}

std::optional<Amount> decode_amount(const core::JsonReader& json) {
  if (const auto integer = json.as_unsigned()) return Amount{*integer};
  const auto real = json.as_double();
  constexpr double end = 18446744073709551616.0;
  if (!real || *real < 0 || *real >= end) return std::nullopt;
  const double whole = std::floor(*real);
  return Amount{static_cast<std::uint64_t>(whole), whole == *real};
}

std::string describe_value(const core::JsonReader& json) {
  if (json.token() != core::JsonToken::number) return std::string(describe_token(json.token()));
  return json.text().empty() ? "a long number" : core::make_excerpt(json.text());
}

std::optional<std::int32_t> decode_position(const core::JsonReader& json) {
  const auto real = json.as_double();
  if (!real || *real < INT32_MIN || *real > INT32_MAX || std::floor(*real) != *real) return std::nullopt;
  return static_cast<std::int32_t>(*real);
}

}  // namespace heapcheck::v8::heapprofile
