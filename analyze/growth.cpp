#include "analyze/growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyze/dominator_places.hpp"
#include "analyze/whole_number.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/stop.hpp"
#include "graph/dom_states.hpp"

namespace heapcheck::analyze {
namespace {

/// The marks of the nodes of a graph. Each string is hashed only once.
class Marks {
 public:
  explicit Marks(const Graph& graph) : graph_(graph) {
    for (const GraphKind& kind : graph.node_kinds) kinds_.push_back(core::KeyedHash{}(kind.name));
    texts_.reserve(graph.texts.count());
    for (std::size_t i = 0; i < graph.texts.count(); ++i) texts_.push_back(core::KeyedHash{}(graph.texts[i]));
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t node) const {
    const std::uint8_t kind = graph_.node_kind[node];
    const bool has_contents = graph_.node_kinds[kind].group == NodeGroup::string;
    const std::size_t name = has_contents ? 0 : hash_name(node);
    return static_cast<std::uint32_t>(core::KeyedHash::combine(kinds_[kind], name));
  }

 private:
  /// A node remains the same one when it becomes detached, which changes its name.
  [[nodiscard]] std::size_t hash_name(std::uint32_t index) const {
    const Node node = graph_.node(index);
    if (node.dom_state() == DomState::detached) return core::KeyedHash{}(graph::stateless_name(node));
    return texts_[graph_.node_name[index]];
  }

  const Graph& graph_;
  std::vector<std::size_t> kinds_;
  std::vector<std::size_t> texts_;
};

/// The sizes of the nodes at a place in two snapshots.
struct PlaceSizes {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

using SizesByPlace = std::unordered_map<DominatorPlace, PlaceSizes, DominatorPlaceHash>;  // KeyedHash

/// Adds up the sizes of the nodes at each place.
void add_sizes(const std::vector<DominatorPlace>& places, const GraphColumn& sizes,
               std::uint64_t PlaceSizes::* sum, SizesByPlace& sums) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::uint64_t& size = sums[places[i]].*sum;
    size = core::saturating_add(size, sizes[i]);
  }
}

/// Sorts by id, and keeps the order of nodes with the same id. The ids of V8's nodes are in runs, for which a
/// radix sort is several times as fast as std::sort.
void sort_by_id(std::vector<NodeById>& rows) {
  constexpr unsigned digit_bits = 11;
  constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
  if (std::ranges::is_sorted(rows, {}, &NodeById::id)) return;
  const std::uint64_t largest = std::ranges::max(rows, {}, &NodeById::id).id;
  std::vector<NodeById> sorted(rows.size());
  for (unsigned shift = 0; shift < 64 && largest >> shift != 0; shift += digit_bits) {
    const auto digit = [shift](const NodeById& row) { return (row.id >> shift) % digits; };
    std::array<std::size_t, digits> next{};
    for (const NodeById& row : rows) ++next[digit(row)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    for (const NodeById& row : rows) sorted[next[digit(row)]++] = row;
    rows.swap(sorted);
  }
}

/// The largest id of an object. V8 counts these ids in odd numbers; what is not on its heap has even ids,
/// which are hashes of addresses. `rows` are sorted.
std::uint64_t find_last_id(std::span<const NodeById> rows) {
  const auto is_odd = [](const NodeById& row) { return row.id % 2 == 1; };
  const auto last = std::find_if(rows.rbegin(), rows.rend(), is_odd);
  return last == rows.rend() ? 0 : last->id;
}

}  // namespace

std::string_view name_of(GrowthDoubt doubt) {
  switch (doubt) {
    case GrowthDoubt::none:
      break;
    case GrowthDoubt::same_heap:
      return "same heap";
    case GrowthDoubt::out_of_order:
      return "out of order";
    case GrowthDoubt::other_process:
      return "other process";
  }
  return "none";
}

NodesById::NodesById(const Graph& graph) {
  core::check_stop();
  const Marks marks(graph);
  rows_.reserve(graph.node_count());
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    rows_.push_back({.id = graph.node_id[i], .node = i, .mark = marks.of(i)});
    are_known_ = are_known_ || graph.node_id[i] != i;
    hash_ = core::KeyedHash::combine(core::KeyedHash::combine(hash_, graph.node_id[i]), graph.node_size[i]);
  }
  for (const std::uint32_t target : graph.edge_target) hash_ = core::KeyedHash::combine(hash_, target);
  sort_by_id(rows_);
}

bool NodesById::has(std::uint64_t id, std::uint32_t mark) const {
  const auto same = std::ranges::equal_range(rows_, id, {}, &NodeById::id);
  return std::ranges::find(same, mark, &NodeById::mark) != same.end();
}

void NodesById::keep_common(const NodesById& other) {
  std::erase_if(rows_, [&other](const NodeById& row) { return !other.has(row.id, row.mark); });
}

Relation find_relation(const NodesById& first, const NodesById& last) {
  const bool are_same = first.hash() == last.hash();
  if (!first.are_known() || !last.are_known()) {
    // Without ids, only equal nodes are evidence of anything.
    return {.doubt = are_same ? GrowthDoubt::same_heap : GrowthDoubt::none};
  }
  std::uint64_t common = 0;
  std::uint64_t same = 0;
  const auto before = first.rows();
  const auto after = last.rows();
  for (std::size_t i = 0, j = 0; i < before.size() && j < after.size();) {
    const std::uint64_t a = before[i].id;
    const std::uint64_t b = after[j].id;
    if (a == b) {
      ++common;
      same += before[i].mark == after[j].mark ? 1U : 0U;
    }
    i += a <= b ? 1U : 0U;
    j += b <= a ? 1U : 0U;
  }
  const std::uint64_t fewest = std::min(before.size(), after.size());
  if (same * 10 < common * 9 || common * 4 < fewest) return {.doubt = GrowthDoubt::other_process};
  if (are_same) return {.share_ids = true, .doubt = GrowthDoubt::same_heap};
  // V8 counts ids upwards, and gives every new object an id that no object had before.
  const bool is_later = find_last_id(after) >= find_last_id(before);
  return {.share_ids = true, .doubt = is_later ? GrowthDoubt::none : GrowthDoubt::out_of_order};
}

GrowthDoubt find_doubt(const std::optional<Recording>& first, const std::optional<Recording>& last) {
  if (!first || !last || !first->pid || !last->pid) return GrowthDoubt::none;
  // A process that made two recordings has two start times, and another process may get the id of one that
  // has ended, so much remains unknown.
  if (first->pid != last->pid) return GrowthDoubt::other_process;
  const bool is_earlier = first->start == last->start && last->time < first->time;
  return is_earlier ? GrowthDoubt::out_of_order : GrowthDoubt::none;
}

graph::NodeSet find_young_nodes(const NodesById& old, const NodesById& last) {
  core::check_stop();
  graph::NodeSet young(last.rows().size());
  auto before = old.rows();
  for (const NodeById& row : last.rows()) {
    while (!before.empty() && before.front().id < row.id) before = before.subspan(1);
    if (before.empty() || before.front().id != row.id) young.add(row.node);
  }
  return young;
}

GraphColumn find_new_sizes(const graph::NodeSet& young, const NodesById* between, const NodesById& last,
                           GraphColumn sizes) {
  for (const NodeById& row : last.rows()) {
    const bool is_new = young.has(row.node) && (between == nullptr || between->has(row.id, row.mark));
    if (!is_new) sizes.set(row.node, 0);
  }
  return sizes;
}

GraphColumn estimate_new_sizes(const Moment& first, const Moment& last) {
  core::check_stop();
  TypeNumbers types;
  SizesByPlace sums;
  add_sizes(find_places(first.graph, first.retention.dominators, types), first.retention.sizes,
            &PlaceSizes::before, sums);
  core::check_stop();
  const std::vector<DominatorPlace> places = find_places(last.graph, last.retention.dominators, types);
  add_sizes(places, last.retention.sizes, &PlaceSizes::after, sums);
  GraphColumn sizes = last.retention.sizes;
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    const auto& [before, now] = sums.find(places[node])->second;
    const std::uint64_t grown = now - std::min(now, before);
    const double share = now == 0 ? 0 : static_cast<double>(grown) / static_cast<double>(now);
    sizes.set(node, make_whole(std::round(share * static_cast<double>(sizes[node]))));
  }
  return sizes;
}

}  // namespace heapcheck::analyze
