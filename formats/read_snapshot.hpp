// Reads one snapshot of a MoarVM dump of any version: by the index that the file has, and from front to back
// where that fails. Borrows the source for the call.
#pragma once

#include <cstdint>

#include "formats/core/source.hpp"
#include "formats/mvmheap/found_snapshot.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::formats {

/// The snapshot of that index, with the tables of the whole file. It may not be whole, as the file may be
/// damaged. Errors: unreadable, where the source holds no MoarVM dump; unsupported, where it
/// holds no such snapshot.
[[nodiscard]] Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                                           std::uint64_t index);

/// What is said of a snapshot that is not in a file, which has `count`.
[[nodiscard]] Error make_missing_snapshot(std::uint64_t index, std::uint64_t count);

}  // namespace heapcheck::formats
