#include "analyze/allocation_times.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

/// V8 gives odd ids to the objects in its heap, in the order in which it first sees them.
bool has_time(const Node& node) { return node.id() % 2 == 1; }

std::size_t find_sample(const Node& node, std::span<const AllocationSample> samples) {
  const auto sample = std::ranges::lower_bound(samples, node.id(), {}, &AllocationSample::last_id);
  return static_cast<std::size_t>(sample - samples.begin());
}

/// The intervals, all of them still empty, and the interval of each sample, which is the one for nodes
/// allocated before the sample but after the previous sample.
struct Intervals {
  std::vector<AliveInterval> all;
  std::vector<std::size_t> of_sample;
};

/// Divides the recording into parts of nearly the same length.
Intervals divide(std::span<const AllocationSample> samples) {
  constexpr double most_parts = 18;
  const std::uint64_t start = samples.front().time;
  const auto length = static_cast<double>(samples.back().time - start);
  Intervals intervals{.all = {{.to = start}}, .of_sample = {0}};
  double part = -1;  // of the previous sample
  for (const AllocationSample& sample : samples.subspan(1)) {
    const double share = length == 0 ? 0 : static_cast<double>(sample.time - start) / length;
    const double next = std::min(static_cast<double>(static_cast<int>(share * most_parts)), most_parts - 1);
    if (next != part) intervals.all.push_back({.from = intervals.all.back().to});
    part = next;
    intervals.all.back().to = sample.time;
    intervals.of_sample.push_back(intervals.all.size() - 1);
  }
  intervals.of_sample.push_back(intervals.all.size());
  intervals.all.push_back({.from = samples.back().time});
  return intervals;
}

}  // namespace

std::optional<std::uint64_t> find_allocation_time(const Node& node,
                                                  std::span<const AllocationSample> samples) {
  if (!has_time(node)) return std::nullopt;
  const std::size_t sample = find_sample(node, samples);
  return sample == samples.size() ? std::nullopt : std::optional(samples[sample].time);
}

std::vector<AliveInterval> find_alive_intervals(const Graph& graph) {
  if (graph.samples.empty()) return {};
  Intervals intervals = divide(graph.samples);
  for (const Node node : graph.nodes()) {
    if (!has_time(node)) continue;
    AliveInterval& interval = intervals.all[intervals.of_sample[find_sample(node, graph.samples)]];
    ++interval.count;
    interval.size = core::saturating_add(interval.size, node.size());
  }
  return std::move(intervals.all);
}

}  // namespace heapcheck::analyze
