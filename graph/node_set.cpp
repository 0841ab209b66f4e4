#include "graph/node_set.hpp"

#include <algorithm>
#include <bit>

namespace heapcheck::graph {

std::uint64_t NodeSet::count() const {
  std::uint64_t total = 0;
  for (const std::uint64_t word : words_) total += static_cast<std::uint64_t>(std::popcount(word));
  return total;
}

std::uint64_t NodeSet::find_missing() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] != UINT64_MAX)
      return std::min<std::uint64_t>(size_, i * 64 + static_cast<unsigned>(std::countr_one(words_[i])));
  }
  return size_;
}

}  // namespace heapcheck::graph
