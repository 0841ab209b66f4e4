// The threads that help with pieces of work. They then wait for more work, because starting a thread and
// using memory in it for the first time take as long as decoding a few thousand rows.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heapcheck::core {

class Workers {
 public:
  /// The workers of the process, which are started when they are first needed. They are never destroyed,
  /// because a process forked from this one does not have the threads and could not wait for them to end. The
  /// forked process gets its own workers.
  static Workers& of_process();

  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Ends the threads. No call to help() may be active.
  ~Workers();

  /// Calls `work` here and, at the same time, on up to `count` workers, or on fewer if workers are busy or
  /// cannot be started. Returns when all calls have returned. The calls must not throw.
  void help(std::size_t count, const std::function<void()>& work);

 private:
  struct Job {
    const std::function<void()>* work;
    std::size_t wanted;      // the number of workers that have not begun
    std::size_t active = 0;  // the number of workers that have begun
  };

  void add_threads();
  void run();

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_ended_;  // a worker has ended its part of a job
  std::deque<Job*> jobs_;              // the jobs that want workers
  std::size_t idle_ = 0;
  bool is_over_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace heapcheck::core
