// The protocol buffer that `pprof` and `go tool pprof` read, compressed with gzip.
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto
#pragma once

#include "export/exporter.hpp"

namespace heapcheck::exports::profiles {

/// One sample for each row of memory with its objects and bytes, called as in Go's heap profiles, and with
/// its type and allocator as labels. Errors: unwritable; limit, if the samples have more than 2^28 frames in
/// total.
[[nodiscard]] Result<Written> write_pprof(const StacksInput& input, core::ByteSink& sink);

}  // namespace heapcheck::exports::profiles
