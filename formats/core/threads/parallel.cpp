#include "formats/core/threads/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "formats/core/threads/workers.hpp"

namespace heapcheck::core {
namespace {

/// The calls that are left, and the first exception.
class Calls {
 public:
  Calls(std::size_t count, const std::function<void(std::size_t)>& work) : count_(count), work_(&work) {}

  void run() noexcept {
    try {
      for (std::size_t i = next_++; i < count_; i = next_++) (*work_)(i);
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t count_;
  const std::function<void(std::size_t)>* work_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void run_parallel(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  Calls calls(count, work);
  const std::size_t wanted = std::min<std::size_t>(threads, count);
  Workers::of_process().help(wanted < 2 ? 0 : wanted - 1, [&calls] { calls.run(); });
  calls.rethrow();
}

}  // namespace heapcheck::core
