// Finds values of a column that occurred before.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/v8/heapsnapshot/column.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// A value that stands in an earlier row too.
struct Repeated {
  std::uint64_t row = 0;
  std::uint64_t value = 0;
};

/// All of them, in the order of rows. Memory: a bit for each number that could occur, or where that is too
/// much, twice the column's.
[[nodiscard]] std::vector<Repeated> find_repeated(const heapcheck::v8::heapsnapshot::ChunkedColumn& column);
[[nodiscard]] std::vector<Repeated> find_repeated(const std::vector<std::uint64_t>& values);

}  // namespace heapcheck::validation::v8::heapsnapshot
