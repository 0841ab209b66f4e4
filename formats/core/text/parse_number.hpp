// Numbers in text that consists of nothing else.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

#if !defined(__cpp_lib_to_chars)
#include <fast_float/fast_float.h>
#endif

namespace heapcheck::core {

#if defined(__cpp_lib_to_chars)
using std::from_chars;
#else
/// libc++ has no std::from_chars for floating-point numbers before version 20.
template <class Number, class... Base>
[[nodiscard]] std::from_chars_result from_chars(const char* first, const char* last, Number& number,
                                                Base... base) {
  if constexpr (std::is_floating_point_v<Number>) {
    const auto [end, status] = fast_float::from_chars(first, last, number, base...);
    return {end, status};
  } else {
    return std::from_chars(first, last, number, base...);
  }
}
#endif

/// The number that makes up all of `text`, or nothing if `text` is not a number or the number does not fit in
/// this type. The default `base` is 10; only integers may have a base.
template <class Number = std::uint64_t, class... Base>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, Base... base) {
  Number number{};
  const char* const last = text.data() + text.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): from_chars takes a range
  const auto [end, status] = from_chars(text.data(), last, number, base...);
  if (status != std::errc() || end != last) return std::nullopt;
  return number;
}

}  // namespace heapcheck::core
