#include "formats/v8/heapprofile/number.hpp"

#include <cmath>

#include "formats/core/text/excerpt.hpp"

namespace heapcheck::v8::heapprofile {

std::optional<Amount> decode_amount(const core::JsonReader& json) {
  if (const auto integer = json.as_unsigned()) return Amount{*integer};
  const auto real = json.as_double();
  constexpr double end = 18446744073709551616.0;
  if (!real || *real < 0 || *real >= end) return std::nullopt;
  const double whole = std::floor(*real);
  return Amount{static_cast<std::uint64_t>(whole), whole == *real};
}

std::string describe_number(const core::JsonReader& json) {
  return json.text().empty() ? "a long number" : core::make_excerpt(json.text());
}

std::optional<std::int32_t> decode_position(const core::JsonReader& json) {
  const auto real = json.as_double();
  if (!real || *real <= INT32_MIN || *real > INT32_MAX || std::floor(*real) != *real) return std::nullopt;
  return static_cast<std::int32_t>(*real);
}

}  // namespace heapcheck::v8::heapprofile
