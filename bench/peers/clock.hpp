// Measures part of a program's run, for comparisons that must exclude the rest of the run.
#pragma once

#include <fmt/core.h>

#include <ctime>

namespace heapcheck::bench {

class Clock {
 public:
  void start() {
    cpu_ -= now(CLOCK_PROCESS_CPUTIME_ID);
    wall_ -= now(CLOCK_MONOTONIC);
  }
  void stop() {
    cpu_ += now(CLOCK_PROCESS_CPUTIME_ID);
    wall_ += now(CLOCK_MONOTONIC);
  }
  /// Prints the line that `bench/run` reads: the seconds of CPU time and of wall time.
  void print() const { fmt::print("measured {:.6f} {:.6f}\n", cpu_, wall_); }

 private:
  static double now(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  double cpu_ = 0;
  double wall_ = 0;
};

}  // namespace heapcheck::bench
