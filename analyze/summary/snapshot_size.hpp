// The size of one snapshot or heap dump in terms of its graph. The functions borrow models and return values.
#pragma once

#include <cstdint>

#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/mvmheap/part.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapsnapshot/model.hpp"

namespace heapcheck::analyze {

struct SnapshotSize {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;  ///< the sum of the nodes' own sizes, at most 2^64 - 1; 0 if they could not be
                            ///< read
};

[[nodiscard]] SnapshotSize measure(const mvmheap::Part& part);
[[nodiscard]] SnapshotSize measure(const v8::heapsnapshot::Snapshot& snapshot);
[[nodiscard]] SnapshotSize measure(const v8::heapprofile::Reading& reading);
/// A heap dump in a trace has a node for each row, and no edges.
[[nodiscard]] SnapshotSize measure(const chrome::legacy::Dump& dump);
[[nodiscard]] SnapshotSize measure(const chrome::heaps_v2::Dump& dump);

}  // namespace heapcheck::analyze
