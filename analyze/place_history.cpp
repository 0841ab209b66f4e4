#include "analyze/place_history.hpp"

#include <set>

#include "formats/core/checked.hpp"
#include "formats/core/stop.hpp"

namespace heapcheck::analyze {

void PlaceHistory::add(const Heap& heap) {
  core::check_stop();
  auto& sizes = sizes_.emplace_back();
  last_places_ = {};
  last_places_ = find_places(heap.graph(), heap.program_retention().dominators, types_);
  const GraphColumn& counted = heap.counted_sizes();
  for (std::uint32_t node = 0; node < last_places_.size(); ++node) {
    std::uint64_t& size = sizes[last_places_[node]];
    size = core::saturating_add(size, counted[node]);
  }
}

std::vector<double> PlaceHistory::find_sizes(const Suspect& leak) const {
  std::set<DominatorPlace> places;
  for (const std::uint32_t node : leak.nodes) places.insert(last_places_[node]);
  std::vector<double> values;
  for (const auto& sizes : sizes_) {
    double value = 0;
    for (const DominatorPlace& place : places) {
      const auto found = sizes.find(place);
      if (found != sizes.end()) value += static_cast<double>(found->second);
    }
    values.push_back(value);
  }
  return values;
}

std::vector<double> PlaceHistory::find_growth(const Suspect& leak) const {
  const std::vector<double> values = find_sizes(leak);
  const double all = values.back() - values.front();
  if (all <= 0) return {};
  std::vector<double> growth;
  for (std::size_t i = 1; i < values.size(); ++i)
    growth.push_back((values[i] - values[i - 1]) / all * static_cast<double>(leak.retained));
  return growth;
}

}  // namespace heapcheck::analyze
