// Prevents exceptions from leaving the public interface. Running out of memory counts as reaching a limit.
#pragma once

#include <new>
#include <utility>

#include "heapcheck/types/result.hpp"

namespace heapcheck::api {

/// Returns the result of `call`, or an error if memory runs out. Errors: limit.
template <class Call>
auto guard(Call&& call) -> decltype(call()) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return std::unexpected(Error{ErrorKind::limit, "needs more memory than the limit or the system allows"});
  }
}

}  // namespace heapcheck::api
