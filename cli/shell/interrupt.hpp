// Ctrl-C in the shell ends what the shell is doing, not the shell itself.
#pragma once

#include <chrono>
#include <future>

namespace heapcheck::cli {

/// From now on, Ctrl-C only makes was_interrupted() true, and calls of the system that wait are given up.
void catch_interrupts();

/// Returns whether Ctrl-C was pressed since the last call of forget_interrupt().
bool was_interrupted();
void forget_interrupt();

/// Waits until there is a value. Returns false if Ctrl-C was pressed before that.
template <class T>
bool wait_for(const std::future<T>& future) {
  constexpr std::chrono::milliseconds pause{50};  // how late Ctrl-C may be noticed
  while (future.wait_for(pause) == std::future_status::timeout) {
    if (was_interrupted()) return false;
  }
  return true;
}

}  // namespace heapcheck::cli
