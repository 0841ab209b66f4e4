// Finds repeated values in a column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/v8/heapsnapshot/column.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// A value that also occurs in an earlier row.
struct Repeated {
  std::uint64_t row = 0;
  std::uint64_t value = 0;
};

/// All repeated values, in the order of rows. Uses up to about 20 bytes of memory for each value, or only a
/// few bits if values are close to each other.
[[nodiscard]] std::vector<Repeated> find_repeated(const heapcheck::v8::heapsnapshot::ChunkedColumn& column);
[[nodiscard]] std::vector<Repeated> find_repeated(const std::vector<std::uint64_t>& values);

// The ids of the calls in a trace tree.

class TreeIds {
 public:
  explicit TreeIds(const heapcheck::v8::heapsnapshot::TraceTree& tree) : ids_(tree.id) {
    std::ranges::sort(ids_);
  }
  [[nodiscard]] bool has(std::uint64_t id) const { return std::ranges::binary_search(ids_, id); }

 private:
  std::vector<std::uint64_t> ids_;
};

}  // namespace heapcheck::validation::v8::heapsnapshot
