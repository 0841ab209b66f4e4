// Measures part of a program's run, for comparisons that must exclude the rest of the run.
#pragma once

#include <fmt/core.h>
#include <sys/resource.h>

#include <ctime>

namespace heapcheck::bench {

class Clock {
 public:
  void start() { add(-1); }
  void stop() { add(1); }
  /// Prints the line that `bench/run` reads: the seconds of user time, of CPU time and of wall time.
  void print() const { fmt::print("measured {:.6f} {:.6f} {:.6f}\n", user_, cpu_, wall_); }

 private:
  void add(double sign) {
    cpu_ += sign * now(CLOCK_PROCESS_CPUTIME_ID);
    wall_ += sign * now(CLOCK_MONOTONIC);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    user_ += sign * (static_cast<double>(usage.ru_utime.tv_sec) +
                     static_cast<double>(usage.ru_utime.tv_usec) * 1e-6);
  }
  static double now(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  double user_ = 0;
  double cpu_ = 0;
  double wall_ = 0;
};

}  // namespace heapcheck::bench
