// No exception leaves the front door: what runs out of memory is a limit that was reached.
#pragma once

#include <new>
#include <utility>

#include "heapcheck/result.hpp"

namespace heapcheck::internal {

/// What `call` returns, a Result; an error where memory runs out. Errors: limit.
template <class Call>
auto guard(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return std::unexpected(Error{ErrorKind::limit, "memory ran out before the limit was reached"});
  }
}

}  // namespace heapcheck::internal
