// When the nodes of a timeline were allocated, as far as its samples show. Reads the graph. The results are
// values. spec: analysis.md#times-of-allocation
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::analyze {

/// When a node was allocated: the time of the first sample by which its id had been assigned, in
/// microseconds. Empty if that is unknown: for nodes that were allocated after the last sample, for nodes
/// outside V8's heap, whose ids are even, and in files without samples.
[[nodiscard]] std::optional<std::uint64_t> find_allocation_time(const Node& node,
                                                                std::span<const AllocationSample> samples);

/// The nodes that were allocated between two samples and are still alive.
struct AliveInterval {
  std::optional<std::uint64_t> from = {};  ///< microseconds; none for nodes from before the first sample
  std::optional<std::uint64_t> to = {};    ///< likewise; none for nodes from after the last sample
  std::uint64_t count = 0;                 ///< nodes
  std::uint64_t size = 0;                  ///< the size of the nodes themselves, in bytes
};

/// At most 20 intervals in chronological order. Together, they cover the whole recording and everything
/// before and after it. Each begins and ends at a sample. Empty if the graph has no samples. Leaves out nodes
/// with even ids.
[[nodiscard]] std::vector<AliveInterval> find_alive_intervals(const Graph& graph);

}  // namespace heapcheck::analyze
