// Finds the settings for heap dumps in the configuration of a trace, which Chrome adds to the trace as a
// string that holds JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome {

/// The size in bytes below which the writer of legacy heaps left entries out. It is at the path
/// `memory_dump_config`, `heap_profiler_options`, `breakdown_threshold_bytes`. Empty if the configuration
/// does not state it. spec: chrome/trace.md#configuration
std::optional<std::uint64_t> find_breakdown_threshold(std::string_view config, const Limits& limits);

}  // namespace heapcheck::chrome
