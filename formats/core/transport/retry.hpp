// Repeats calls of the system that a signal interrupted.
#pragma once

#include <cerrno>

namespace heapcheck::core {

/// Calls `call`, which returns a negative number and sets errno if it fails, until it is not interrupted.
template <class Call>
auto retry(Call&& call) -> decltype(call()) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace heapcheck::core
