// Turns a number with a fraction into a whole one, as sizes are.
#pragma once

#include <cstdint>

namespace heapcheck::analyze {

/// The number without its fraction; 0 if it is negative, and the largest number if it does not fit.
[[nodiscard]] constexpr std::uint64_t make_whole(double number) {
  if (!(number > 0)) return 0;
  return number < 0x1p64 ? static_cast<std::uint64_t>(number) : UINT64_MAX;
}

}  // namespace heapcheck::analyze
