#include "analyze/place_history.hpp"

#include <cstddef>
#include <set>
#include <span>

#include "analyze/dominators.hpp"
#include "analyze/recent_types.hpp"
#include "analyze/suspects.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::analyze {
namespace {

/// Hashes of the places of nodes. Borrows the heap.
class PlaceHashes {
 public:
  explicit PlaceHashes(const Heap& heap)
      : graph_(heap.graph()), dominators_(heap.program_retention().dominators.dominator), types_(graph_) {}

  [[nodiscard]] std::uint64_t of(std::uint32_t node) {
    std::size_t hash = 0;
    for (int i = 0; i < 3 && node != Dominators::none; ++i) {
      hash = core::KeyedHash::combine(hash, hash_type(node));
      node = dominators_[node];
    }
    return hash;
  }

 private:
  std::size_t hash_type(std::uint32_t index) {
    return types_.find(index, [&] {
      const Node node = graph_.node(index);
      const core::KeyedHash hash;
      return core::KeyedHash::combine(
          core::KeyedHash::combine(hash(node.kind().name), hash(find_group_name(node))),
          hash(node.representation()));
    });
  }

  const Graph& graph_;
  std::span<const std::uint32_t> dominators_;
  RecentTypes<std::size_t> types_;
};

}  // namespace

void PlaceHistory::add(const Heap& heap) {
  auto& sizes = sizes_.emplace_back();
  PlaceHashes hashes(heap);
  const GraphColumn& counted = heap.counted_sizes();
  for (std::uint32_t node = 0; node < heap.graph().node_count(); ++node) {
    std::uint64_t& size = sizes[hashes.of(node)];
    size = core::saturating_add(size, counted[node]);
  }
}

std::vector<double> PlaceHistory::find_growth(const Heap& last, const Suspect& leak) const {
  PlaceHashes hashes(last);
  std::set<std::uint64_t> places;
  for (const std::uint32_t node : leak.nodes) places.insert(hashes.of(node));
  std::vector<double> values;
  for (const auto& sizes : sizes_) {
    double value = 0;
    for (const std::uint64_t place : places) {
      const auto found = sizes.find(place);
      if (found != sizes.end()) value += static_cast<double>(found->second);
    }
    values.push_back(value);
  }
  const double all = values.back() - values.front();
  if (all <= 0) return {};
  std::vector<double> growth;
  for (std::size_t i = 1; i < values.size(); ++i)
    growth.push_back((values[i] - values[i - 1]) / all * static_cast<double>(leak.retained));
  return growth;
}

}  // namespace heapcheck::analyze
