#include "formats/core/threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck::core;

TEST_CASE("work is done once for each number, with any number of threads", "[parallel]") {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> calls(100);
    run_parallel(threads, calls.size(), [&](std::size_t i) { ++calls[i]; });
    CHECK(std::ranges::all_of(calls, [](const std::atomic<int>& count) { return count == 1; }));
  }
  run_parallel(4, 0, [](std::size_t) { FAIL("there is no work"); });
}

TEST_CASE("an exception on any thread reaches the caller", "[parallel]") {
  for (const unsigned threads : {1U, 3U}) {
    const auto fail_late = [](std::size_t i) {
      if (i == 50) throw std::runtime_error("number 50");
    };
    CHECK_THROWS_WITH(run_parallel(threads, 100, fail_late), "number 50");
  }
}
