// Generates Chrome traces of any size with the structure of real traces. The same size always produces the
// same trace.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string_view>

namespace heapcheck::bench {

enum class TraceKind : std::uint8_t {
  legacy,    ///< mostly heap dumps like those of Chrome 64, with their frames and types
  heaps_v2,  ///< mostly heap dumps like those of the profiling service, with complete maps
  mixed,     ///< mostly other events, with some small heap dumps
};

/// Writes a trace of about `byte_count` bytes.
void write_trace(TraceKind kind, std::uint64_t byte_count, std::FILE* file);

}  // namespace heapcheck::bench
