// Makes large dumps that resemble real ones: a graph or a tree of calls with the shape of the seed, and with
// kinds, sizes and names drawn from the seed. The same seed and size always make the same file.
#pragma once

#include <cstdint>

#include "formats/core/output/output_file.hpp"
#include "formats/open.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::bench {

/// Limits that no seed and no large dump reaches.
[[nodiscard]] Limits no_limits();

/// Writes a dump of version `format`. Its last snapshot has `size` collectables. The other snapshots are
/// copied from the seed, because some rows of its tables may only be used there.
Result<void> enlarge_mvmheap(formats::OpenedInput& seed, Format format, std::uint64_t size,
                             core::ByteSink& out);

/// Writes a heap snapshot of about `size` bytes, without traces, samples and scopes.
Result<void> enlarge_heapsnapshot(formats::OpenedInput& seed, std::uint64_t size, core::ByteSink& out);

/// Writes a trace of about `size` bytes with heap dumps in the seed's format, and with the seed's other
/// events between them. `path` is the path of the seed.
Result<void> enlarge_trace(formats::OpenedInput& seed, const char* path, std::uint64_t size,
                           core::ByteSink& out);

}  // namespace heapcheck::bench
