#include "formats/core/threads/workers.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

#include "tests/support/catch.hpp"

using namespace heapcheck::core;

namespace {

/// The threads that did the work. The work waits until all of them have begun.
std::set<std::thread::id> list_threads(Workers& workers, std::size_t count) {
  std::latch all_begin(static_cast<std::ptrdiff_t>(count) + 1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const std::function<void()> work = [&] {
    all_begin.arrive_and_wait();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  workers.help(count, work);
  return threads;
}

}  // namespace

TEST_CASE("workers help at the same time, and are used again", "[threads]") {
  Workers workers;
  const auto first = list_threads(workers, 3);
  CHECK(first.size() == 4);
  CHECK(first.contains(std::this_thread::get_id()));
  CHECK(list_threads(workers, 3) == first);
  CHECK(list_threads(workers, 0) == std::set{std::this_thread::get_id()});
  CHECK(list_threads(workers, 5).size() == 6);
}

TEST_CASE("several threads may ask for help, also workers", "[threads]") {
  Workers workers;
  std::atomic<int> calls = 0;
  const std::function<void()> count_calls = [&] { ++calls; };
  {
    std::jthread other([&] {
      for (int i = 0; i < 100; ++i) workers.help(2, count_calls);
    });
    const std::function<void()> ask_again = [&] { workers.help(1, count_calls); };
    for (int i = 0; i < 100; ++i) workers.help(1, ask_again);
  }
  CHECK(calls >= 200);
}

TEST_CASE("a forked process has workers of its own", "[threads]") {
  list_threads(Workers::of_process(), 2);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    std::size_t threads = 0;
    for (const std::size_t count : {2U, 5U, 5U}) threads += list_threads(Workers::of_process(), count).size();
    ::_exit(static_cast<int>(threads));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3 + 6 + 6);
}
