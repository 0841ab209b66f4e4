#include "formats/core/threads/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>

#include "formats/core/threads/workers.hpp"

namespace heapcheck::core {
namespace {

/// The remaining calls, and the first exception.
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

Workers& Workers::of_process() {
  static std::mutex mutex;
  static Workers* workers = nullptr;
  static pid_t process = 0;
  const std::lock_guard lock(mutex);
  if (workers == nullptr || process != ::getpid()) {
    workers = new Workers;
    process = ::getpid();
  }
  return *workers;
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  has_work_.notify_all();
}

void Workers::help(std::size_t count, const std::function<void()>& work) {
  if (count == 0) return work();
  Job job{&work, count};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    add_threads();
  }
  has_work_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  has_ended_.wait(lock, [&] { return job.active == 0; });
}

/// Starts threads until the wanted number of threads is idle.
void Workers::add_threads() {
  std::size_t wanted = 0;
  for (const Job* const job : jobs_) wanted += job->wanted;
  try {
    for (; idle_ < wanted; ++idle_) threads_.emplace_back([this] { run(); });
    // NOLINTNEXTLINE(bugprone-empty-catch): there are then fewer threads
  } catch (const std::system_error&) {
    // NOLINTNEXTLINE(bugprone-empty-catch)
  } catch (const std::bad_alloc&) {
  }
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_work_.wait(lock, [this] { return is_over_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job& job = *jobs_.front();
    if (--job.wanted == 0) jobs_.pop_front();
    ++job.active;
    --idle_;
    lock.unlock();
    (*job.work)();
    lock.lock();
    ++idle_;
    --job.active;
    has_ended_.notify_all();
  }
}

}  // namespace heapcheck::core
