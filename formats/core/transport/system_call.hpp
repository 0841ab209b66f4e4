// Calls of the system on files that are read: repeats those that a signal interrupted, and makes the errors
// of those that failed.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "heapcheck/types/result.hpp"

namespace heapcheck::core {

/// Calls `call`, which returns a negative number and sets errno if it fails, until it is not interrupted.
template <class Call>
auto retry(Call&& call) -> decltype(call()) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// The error for the value `code` of errno. `what` could not be done, such as "cannot be read".
inline std::unexpected<Error> make_system_error(std::string_view what, int code) {
  const ErrorKind kind = code == ENOMEM ? ErrorKind::limit : ErrorKind::unreadable;
  return std::unexpected(Error{kind, std::string(what) + ": " + std::generic_category().message(code)});
}

}  // namespace heapcheck::core
