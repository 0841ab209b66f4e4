#include "formats/core/threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
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

TEST_CASE("results are taken in order on the calling thread", "[parallel]") {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    std::vector<int> results(200);
    std::vector<int> taken;
    const auto caller = std::this_thread::get_id();
    run_in_order(
        threads, results.size(), [&](std::size_t i) { results[i] = static_cast<int>(i) + 1; },
        [&](std::size_t i) {
          if (std::this_thread::get_id() == caller) taken.push_back(results[i]);
        });
    CHECK(std::ranges::is_sorted(taken));
    CHECK(taken.size() == results.size());
    CHECK(std::ranges::count(taken, 0) == 0);
  }
}

TEST_CASE("no results are taken after a call has failed, and failing to take one ends the work",
          "[parallel]") {
  const auto fail = [](std::size_t i) {
    if (i == 7) throw std::runtime_error("number 7");
  };
  for (const unsigned threads : {1U, 3U}) {
    std::size_t taken = 0;
    CHECK_THROWS_WITH(run_in_order(threads, 100, fail, [&](std::size_t) { ++taken; }), "number 7");
    CHECK(taken <= 7);
    CHECK_THROWS_WITH(run_in_order(threads, 100, [](std::size_t) {}, fail), "number 7");
  }
}
