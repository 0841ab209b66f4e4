// Ends long computations whose results are no longer wanted.
#pragma once

#include <functional>

namespace heapcheck::core {

/// Thrown by check_stop(). Only api/guard.hpp catches it, so what was computed must stay valid, as if the
/// memory had run out.
struct Stopped {};

/// What ends the computations of the current thread.
struct StopState {
  const std::function<bool()>* is_stopped = nullptr;  ///< borrowed; null if nothing does
  unsigned guards = 0;                                ///< how many callers catch Stopped
};
inline thread_local constinit StopState stop_state;

/// Exists while the caller catches Stopped.
class StopGuard {
 public:
  StopGuard() { ++stop_state.guards; }
  StopGuard(const StopGuard&) = delete;
  StopGuard& operator=(const StopGuard&) = delete;
  ~StopGuard() { --stop_state.guards; }
};

/// Throws Stopped if the result is no longer wanted. Long computations call this between their parts.
inline void check_stop() {
  const StopState& state = stop_state;
  if (state.guards != 0 && state.is_stopped != nullptr && (*state.is_stopped)()) throw Stopped();
}

}  // namespace heapcheck::core
