// Ctrl-C in the shell ends what the shell is doing, not the shell itself.
#pragma once

#include <chrono>
#include <future>

namespace heapcheck::cli {

/// How late Ctrl-C may be noticed. The signal cannot end a call that waits, because any thread may get it.
inline constexpr std::chrono::milliseconds interrupt_pause{50};

/// From now on, Ctrl-C only makes was_interrupted() true.
void catch_interrupts();

/// Returns whether Ctrl-C was pressed since the last call of forget_interrupt().
bool was_interrupted();
void forget_interrupt();

/// Waits until standard input has bytes or ends. Returns false if Ctrl-C was pressed before that.
bool wait_for_input();

/// Waits until there is a value. Returns false if Ctrl-C was pressed before that.
template <class T>
bool wait_for(const std::future<T>& future) {
  while (future.wait_for(interrupt_pause) == std::future_status::timeout) {
    if (was_interrupted()) return false;
  }
  return true;
}

}  // namespace heapcheck::cli
