#include "analyze/node_stacks.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <unordered_map>

#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "graph/retention.hpp"

namespace heapcheck::analyze {
namespace {

/// The places from `place` outwards, with the root, which DevTools shows at the end of each stack.
std::vector<std::uint32_t> find_whole_stack(const AllocationProfile& stacks, std::uint32_t place) {
  std::vector<std::uint32_t> places = find_stack(stacks, place);
  if (place != 0) places.push_back(0);
  return places;
}

/// The memory of a part of the heap, by place.
class Contents {
 public:
  /// `sizes` contains the number of bytes that count for each node.
  Contents(const Heap& heap, const GraphColumn& sizes)
      : heap_(&heap), sizes_(&sizes), seen_(heap.graph().node_count()) {}

  void add(std::uint32_t root) {
    waiting_ = {root};
    while (!waiting_.empty()) {
      const std::uint32_t node = waiting_.back();
      waiting_.pop_back();
      if (seen_[node]) continue;
      seen_[node] = true;
      add_node(node);
    }
  }

  [[nodiscard]] std::optional<AllocatingStack> find_largest() const {
    const auto is_smaller = [](const auto& a, const auto& b) {
      return std::tuple(a.second.size, a.second.count, b.first) <
             std::tuple(b.second.size, b.second.count, a.first);
    };
    const auto largest = std::ranges::max_element(by_place_, is_smaller);
    if (largest == by_place_.end()) return std::nullopt;
    return AllocatingStack{.places = find_whole_stack(heap_->graph().stacks, largest->first),
                           .allocated = largest->second,
                           .size = size_};
  }

 private:
  void add_node(std::uint32_t node) {
    const auto below = heap_->dominated_by(node);
    waiting_.insert(waiting_.end(), below.begin(), below.end());
    size_ = core::saturating_add(size_, (*sizes_)[node]);
    const std::uint32_t place = heap_->graph().node_stack[node];
    if (place != Graph::no_stack && (*sizes_)[node] != 0)
      by_place_[place] += Amount{.size = (*sizes_)[node], .count = 1};
  }

  const Heap* heap_;
  const GraphColumn* sizes_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> waiting_;
  std::unordered_map<std::uint32_t, Amount, core::KeyedHash> by_place_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<AllocationProfile> make_live_profile(const Graph& graph) {
  if (graph.node_stack.empty())
    return std::unexpected(Error{
        ErrorKind::unsupported,
        "has no allocation stacks; they are recorded by DevTools' allocation timeline with allocation stack "
        "traces, or by HeapProfiler.startTrackingHeapObjects with trackAllocations"});
  const GraphColumn sizes = graph::find_counted_sizes(graph);
  AllocationProfile profile = graph.stacks;
  const std::size_t count = profile.caller.size();
  std::vector<Amount> live(count);
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    const std::uint32_t place = graph.node_stack[node];
    if (place != Graph::no_stack) {
      live[place] += {.size = sizes[node], .count = 1};
      continue;
    }
    ++profile.left_out_count;
    profile.left_out_size = core::saturating_add(profile.left_out_size, sizes[node]);
  }
  for (std::uint32_t place = 0; place < count; ++place) {
    if (live[place].is_zero()) continue;
    profile.place.push_back(place);
    profile.size.push_back(live[place].size);
    profile.count.push_back(live[place].count);
  }
  return profile;
}

std::vector<std::uint32_t> find_node_stack(const Graph& graph, std::uint32_t node) {
  if (graph.node_stack.empty() || graph.node_stack[node] == Graph::no_stack) return {};
  return find_whole_stack(graph.stacks, graph.node_stack[node]);
}

std::optional<AllocatingStack> find_allocating_stack(const Heap& heap, std::span<const std::uint32_t> nodes,
                                                     const GraphColumn& sizes) {
  if (heap.graph().node_stack.empty()) return std::nullopt;
  Contents contents(heap, sizes);
  for (const std::uint32_t node : nodes) contents.add(node);
  return contents.find_largest();
}

}  // namespace heapcheck::analyze
