// The ids of the calls in a trace tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

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
