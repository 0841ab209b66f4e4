// What `heapcheck info` tells of V8's files.
#pragma once

#include <memory>

#include "cli/info.hpp"

namespace heapcheck::cli {

/// Reads the sampling profile in `window`, which stands at the first byte.
std::unique_ptr<Info> read_heapprofile_info(core::Window& window, const Limits& limits);

/// Reads the heap snapshot in `window`, which stands at the first byte.
std::unique_ptr<Info> read_heapsnapshot_info(core::Window& window, const Limits& limits);

}  // namespace heapcheck::cli
