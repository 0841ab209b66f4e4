// Reads one snapshot of a MoarVM dump of any version: by the file's own index, or from front to back if that
// fails. Borrows the source for the call.
#pragma once

#include <cstdint>

#include "formats/core/source.hpp"
#include "formats/mvmheap/found_snapshot.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::formats {

/// The snapshot with that index, with the tables of the whole file. It may be incomplete, because the file
/// may be damaged. Errors: unreadable if the source is not a MoarVM dump; unsupported if it has no such
/// snapshot.
[[nodiscard]] Result<mvmheap::FoundSnapshot> read_snapshot(core::SeekableSource& source, const Limits& limits,
                                                           std::uint64_t index);

/// The error for a snapshot that is not in the file, which has `count` snapshots.
[[nodiscard]] Error make_missing_snapshot(std::uint64_t index, std::uint64_t count);

}  // namespace heapcheck::formats
