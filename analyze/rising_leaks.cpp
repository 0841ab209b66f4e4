#include "analyze/rising_leaks.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analyze/place_history.hpp"
#include "formats/core/checked.hpp"
#include "graph/node_set.hpp"

namespace heapcheck::analyze {
namespace {

std::span<const NodeById> find_rows(const NodesById& nodes, std::uint64_t id) {
  const auto found = std::ranges::equal_range(nodes.rows(), id, {}, &NodeById::id);
  return {found.begin(), found.end()};
}

/// The node of `first` that is the node `node` of `last`.
std::optional<std::uint32_t> find_same(const Heap& first, const Heap& last, std::uint32_t node) {
  const std::uint64_t id = last.graph().node_id[node];
  const auto rows = find_rows(last.nodes_by_id(), id);
  const auto row = std::ranges::find(rows, node, &NodeById::node);
  if (row == rows.end()) return std::nullopt;
  const auto old = find_rows(first.nodes_by_id(), id);
  const auto same = std::ranges::find(old, row->mark, &NodeById::mark);
  return same == old.end() ? std::nullopt : std::optional(same->node);
}

/// By how much the nodes have grown that hold the leak and existed before: for each of its nodes, the nearest
/// one of its dominators. The holder itself, such as the table of a map, may be new.
std::uint64_t find_growth(const Heap& first, const Heap& last, const Suspect& leak) {
  graph::NodeSet seen(last.graph().node_count());
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (const std::uint32_t node : leak.nodes) {
    std::optional<std::uint32_t> holder = last.dominator_of(node);
    while (holder && seen.add(*holder)) {
      if (const auto same = find_same(first, last, *holder)) {
        before = core::saturating_add(before, first.suspect_sizes()[*same]);
        after = core::saturating_add(after, last.suspect_sizes()[*holder]);
        break;
      }
      holder = last.dominator_of(*holder);
    }
  }
  return after > before ? after - before : 0;
}

/// The sizes of nodes by place in two snapshots, which are added up once they are needed.
class Places {
 public:
  Places(const Heap& first, const Heap& last) : first_(first), last_(last) {}

  /// Whether the total size of all nodes at the leak's places has grown by at least half of the total size
  /// of its own nodes. If an object of a pool is taken into use again, it gets new parts, but others have
  /// lost theirs.
  [[nodiscard]] bool have_grown(const Suspect& leak) {
    if (!history_) {
      history_.emplace();
      history_->add(first_);
      history_->add(last_);
    }
    double own = 0;
    for (const std::uint32_t node : leak.nodes) own += static_cast<double>(last_.counted_sizes()[node]);
    const std::vector<double> sizes = history_->find_sizes(leak);
    return sizes[1] - sizes[0] >= own / 2;
  }

 private:
  const Heap& first_;
  const Heap& last_;
  std::optional<PlaceHistory> history_;
};

}  // namespace

std::vector<RisingLeak> find_rising_leaks(const Heap& first, const Heap& last, double least_growth) {
  constexpr double least_share = 0.01;  // as in the answer to `leaks`
  FoundLeaks found = last.leaks_since(first, nullptr, {.least_share = least_share});
  std::vector<RisingLeak> rising;
  Places places(first, last);
  for (Suspect& leak : found.leaks) {
    if (leak.owner == SuspectOwner::runtime) continue;
    const std::uint64_t growth = find_growth(first, last, leak);
    const bool replaces_others = growth < leak.retained / 2;
    if (replaces_others || static_cast<double>(std::min(growth, leak.retained)) < least_growth) continue;
    if (!places.have_grown(leak)) continue;
    rising.push_back({.leak = std::move(leak), .growth = growth});
  }
  return rising;
}

}  // namespace heapcheck::analyze
