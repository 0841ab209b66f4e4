// Does independent pieces of work at the same time. A build for a system without threads does them one after
// another.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "formats/core/source.hpp"

namespace heapcheck::core {

/// Calls `work` with each number below `count`, on up to `threads` threads including the current one, and
/// returns when all calls have returned. If not all threads can be started, uses fewer. If a call throws, no
/// further calls begin, and the exception is rethrown here.
void run_parallel(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work);

/// A source that reads the bytes of `source` on its own thread, ahead of the reader that needs them.
[[nodiscard]] std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

}  // namespace heapcheck::core
