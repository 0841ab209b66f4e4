#include "validate/v8/heapsnapshot/node_rows.hpp"

#include <algorithm>

#include "formats/core/hot_loop.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

HEAPCHECK_HOT_LOOP std::uint32_t divide_all(std::span<std::uint32_t> positions, RowDivision divide) {
  constexpr std::size_t block = 64;  // compilers only use wide instructions for loops whose length they know
  std::uint32_t largest = 0;
  std::size_t i = 0;
  const auto replace = [&](std::size_t k) __attribute__((always_inline)) {
    positions[k] = divide(positions[k]);
    largest = std::max(largest, positions[k]);
  };
  for (; positions.size() - i >= block; i += block) {
    for (std::size_t k = i; k < i + block; ++k) replace(k);
  }
  for (; i < positions.size(); ++i) replace(i);
  return largest;
}

}  // namespace

std::uint32_t divide_positions(std::span<std::uint32_t> positions, RowDivision divide) {
  return divide_all(positions, divide);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
