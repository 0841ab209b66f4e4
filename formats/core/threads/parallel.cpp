#include "formats/core/threads/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "formats/core/threads/workers.hpp"

namespace heapcheck::core {
namespace {

/// The calls that are left, those that have returned, and the first exception.
class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& work) : work_(&work), is_done_(count) {}

  /// Makes calls as long as there are any.
  void run() noexcept {
    std::unique_lock lock(mutex_);
    while (run_next(lock)) {
    }
  }
  /// Passes the number of each call to `take` once it has returned, and makes calls meanwhile.
  void run_and_take(const std::function<void(std::size_t)>& take) noexcept {
    try {
      for (std::size_t i = 0; i < is_done_.size() && wait_for(i); ++i) take(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      fail(std::current_exception());
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// Makes the next call, during which `lock` is open. Returns false if none is left or one has failed.
  bool run_next(std::unique_lock<std::mutex>& lock) noexcept {
    if (next_ == is_done_.size() || failure_) return false;
    const std::size_t i = next_++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work_)(i);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    is_done_[i] = true;
    if (failure) fail(std::move(failure));
    changed_.notify_all();
    return true;
  }
  /// Returns when call `i` has returned, or false when one has failed.
  bool wait_for(std::size_t i) {
    std::unique_lock lock(mutex_);
    while (!is_done_[i] && !failure_) {
      if (!run_next(lock)) changed_.wait(lock, [&] { return is_done_[i] || failure_; });
    }
    return !failure_;
  }
  void fail(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);
  }

  const std::function<void(std::size_t)>* work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  std::vector<bool> is_done_;
  std::exception_ptr failure_;
};

}  // namespace

void run_in_order(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take) {
  Calls calls(count, work);
  const std::size_t most = std::min<std::size_t>(threads, count);
  Workers::of_process().help(
      most < 2 ? 0 : most - 1, [&] { calls.run(); }, [&] { calls.run_and_take(take); });
  calls.rethrow();
}

void run_parallel(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  run_in_order(threads, count, work, [](std::size_t) {});
}

}  // namespace heapcheck::core
