// What the configuration of a trace, which Chrome adds to it as a string of JSON, says of its heap dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapcheck/limits.hpp"

namespace heapcheck::chrome {

/// Bytes below which the writer of legacy heaps left entries out: `memory_dump_config`,
/// `heap_profiler_options`, `breakdown_threshold_bytes`. Nothing where the text does not say.
/// spec: chrome/trace.md#configuration
std::optional<std::uint64_t> find_breakdown_threshold(std::string_view config, const Limits& limits);

}  // namespace heapcheck::chrome
