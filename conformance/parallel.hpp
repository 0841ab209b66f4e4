// Calls a function for each of many items on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace heapcheck::conformance {

/// Calls `work(i)` once for each index below `count`, on `jobs` threads.
template <class Work>
void for_each_index(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::max(jobs, 1U); ++i) others.emplace_back(take_turns);
  take_turns();
}

}  // namespace heapcheck::conformance
