// Runs independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace heapcheck::core {

/// Calls `work` with each number below `count`, on up to `threads` threads, one of which is this one, and
/// returns when all calls have returned. Does without threads that cannot be started. If a call throws, no
/// further ones begin, and its exception is thrown here.
void run_parallel(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace heapcheck::core
