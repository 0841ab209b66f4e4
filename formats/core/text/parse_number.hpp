// Numbers in text that consists of nothing else.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace heapcheck::core {

/// The number that makes up all of `text`, or nothing if `text` is not a number or the number does not fit in
/// this type. The default `base` is 10; only integers may have a base.
template <class Number = std::uint64_t, class... Base>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, Base... base) {
  Number number{};
  const char* const last = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): from_chars takes a range
  const auto [end, status] = std::from_chars(text.data(), last, number, base...);
  if (status != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace heapcheck::core
