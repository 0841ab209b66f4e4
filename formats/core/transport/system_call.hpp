// System calls on input files: repeats calls that were interrupted by a signal, and makes errors for calls
// that failed.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

/// Repeats `call` until it is not interrupted. `call` returns a negative number and sets errno if it fails.
template <class Call>
auto retry(Call&& call) -> decltype(call()) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// The error for `code`, a value of errno. `what` says what failed, such as "cannot be read".
inline std::unexpected<Error> make_system_error(std::string_view what, int code) {
  const ErrorKind kind = code == ENOMEM ? ErrorKind::limit : ErrorKind::unreadable;
  return std::unexpected(Error{kind, std::string(what) + ": " + std::generic_category().message(code)});
}

}  // namespace heapcheck::core
