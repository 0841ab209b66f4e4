// Prevents exceptions from leaving the public interface. Running out of memory counts as reaching a limit,
// and being stopped as reaching a time limit.
#pragma once

#include <new>
#include <utility>

#include "formats/core/stop.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::api {

/// Returns the result of `call`, or an error if memory runs out or the call is stopped. Errors: limit;
/// timeout.
template <class Call>
auto guard(Call&& call) -> decltype(call()) {
  try {
    const core::StopGuard guard;
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    return std::unexpected(Error{ErrorKind::limit, "needs more memory than the limit or the system allows"});
  } catch (const core::Stopped&) {
    return std::unexpected(Error{ErrorKind::timeout, "was stopped before it was finished"});
  }
}

}  // namespace heapcheck::api
