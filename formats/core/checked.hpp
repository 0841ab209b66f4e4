// Arithmetic with numbers from a file. The result is empty if it would wrap around.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

namespace heapcheck::core {

template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checked_add(T a, T b) {
  if (b > std::numeric_limits<T>::max() - a) return std::nullopt;
  return static_cast<T>(a + b);
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checked_multiply(T a, T b) {
  if (a != 0 && b > std::numeric_limits<T>::max() / a) return std::nullopt;
  return static_cast<T>(a * b);
}

/// a + b, or the largest value if the sum would wrap around.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T saturating_add(T a, T b) {
  return checked_add(a, b).value_or(std::numeric_limits<T>::max());
}

/// The sum of the values, or the largest value if the sum would wrap around.
template <class Values>
[[nodiscard]] constexpr std::uint64_t saturating_sum(const Values& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum = saturating_add(sum, value);
  return sum;
}

/// Returns whether [offset, offset + length) is inside [0, size).
[[nodiscard]] constexpr bool is_inside(std::uint64_t offset, std::uint64_t length, std::uint64_t size) {
  return length <= size && offset <= size - length;
}

}  // namespace heapcheck::core
