#include "bench/enlarge/growth.hpp"

#include <algorithm>

namespace heapcheck::bench {
namespace {

/// A node with at least this many incoming edges is assumed to be shared by the whole heap.
constexpr std::uint32_t many_edges = 16;
/// Edges that lead back by fewer nodes than this lead back by the same number in a larger heap. Other edges
/// lead back by the same share of the heap.
constexpr std::uint64_t near = 1024;
/// The mean length of a run of neighbours from the seed. With this length, compression shrinks a MoarVM dump
/// about as much as its seed.
constexpr std::uint64_t run = 64;

/// The node that the seed's writer encountered at an edge: a new node or one that it had encountered before.
struct Meeting {
  bool is_new = false;
  std::uint32_t newest = 0;  ///< the number of the node that was the newest at that time
};

std::vector<Meeting> find_meetings(const SeedGraph& seed) {
  std::vector<Meeting> meetings(seed.target.size());
  std::vector<bool> is_met(seed.node_count(), false);
  std::uint32_t newest = 0;
  for (const std::uint32_t node : seed.order) {
    is_met[node] = true;
    for (std::uint64_t edge = seed.first[node]; edge < seed.first[node] + seed.degree[node]; ++edge) {
      const std::uint32_t target = seed.target[edge];
      meetings[edge] = {!is_met[target], newest};
      is_met[target] = true;
      newest = std::max(newest, target);
    }
  }
  return meetings;
}

class Grower {
 public:
  Grower(const SeedGraph& seed, std::uint64_t node_count, Random& random)
      : seed_(&seed), node_count_(node_count), random_(&random), meetings_(find_meetings(seed)) {
    for (std::uint32_t node = 0; node < seed.node_count(); ++node) {
      if (seed.is_single[node]) continue;
      ordinary_.push_back(node);
      if (groups_.size() <= seed.similar[node]) groups_.resize(std::size_t{seed.similar[node]} + 1);
      groups_[seed.similar[node]].push_back(node);
    }
  }

  GrownGraph grow() {
    copy_seed();
    std::vector<std::uint32_t> of_hub;
    while (grown_.node_count() < node_count_ && !ordinary_.empty()) {
      of_hub.push_back(add_node(draw_for_hub()));
      while (!open_.empty()) {
        const std::uint32_t node = open_.back();
        open_.pop_back();
        add_edges(node);
      }
    }
    add_to_hub(of_hub);
    return std::move(grown_);
  }

 private:
  void copy_seed() {
    grown_.origin.resize(seed_->node_count());
    for (std::uint32_t node = 0; node < seed_->node_count(); ++node) grown_.origin[node] = node;
    grown_.first.resize(seed_->node_count());
    for (const std::uint32_t node : seed_->order) append_seed_edges(node);
  }

  /// Inserts edges from the hub to these nodes after its own edges, so that the first edge to each node still
  /// comes before the edges of that node, as in a file by the seed's writer.
  void add_to_hub(std::span<const std::uint32_t> nodes) {
    const std::uint64_t end = grown_.first[seed_->hub] + seed_->degree[seed_->hub];
    grown_.hub_degree = seed_->degree[seed_->hub] + nodes.size();
    grown_.target.insert(grown_.target.begin() + static_cast<std::ptrdiff_t>(end), nodes.begin(),
                         nodes.end());
    for (std::uint64_t& first : grown_.first) first += first >= end ? nodes.size() : 0;
  }

  void append_seed_edges(std::uint32_t node) {
    const auto begin = seed_->target.begin() + static_cast<std::ptrdiff_t>(seed_->first[node]);
    grown_.first[node] = grown_.target.size();
    grown_.target.insert(grown_.target.end(), begin, begin + seed_->degree[node]);
  }

  std::uint32_t add_node(std::uint32_t origin) {
    const std::uint32_t node = grown_.node_count();
    grown_.origin.push_back(origin);
    grown_.first.push_back(0);
    open_.push_back(node);
    return node;
  }

  void add_edges(std::uint32_t node) {
    const std::uint32_t origin = grown_.origin[node];
    grown_.first[node] = grown_.target.size();
    for (std::uint32_t i = 0; i < seed_->degree[origin]; ++i)
      grown_.target.push_back(find_target(seed_->first[origin] + i));
  }

  std::uint32_t find_target(std::uint64_t edge) {
    const std::uint32_t target = seed_->target[edge];
    if (seed_->is_single[target]) return target;
    if (meetings_[edge].is_new && grown_.node_count() < node_count_) return add_node(draw(target));
    return find_earlier(target, meetings_[edge].newest);
  }

  /// Neighbours in the seed are similar, so the hub refers to some of them in a row.
  std::uint32_t draw_for_hub() {
    next_ordinary_ = random_->below(run) == 0 ? random_->below(ordinary_.size()) : next_ordinary_ + 1;
    return ordinary_[next_ordinary_ %= ordinary_.size()];
  }

  /// Usually returns the node itself, because real heaps repeat small structures.
  std::uint32_t draw(std::uint32_t node) {
    constexpr std::uint64_t one_in = 8;
    return random_->below(one_in) == 0 ? random_->pick(groups_[seed_->similar[node]]) : node;
  }

  /// The node as far before the newest node as `target` is before `newest` in the seed. Long distances grow
  /// with the heap.
  std::uint32_t find_earlier(std::uint32_t target, std::uint32_t newest) {
    const std::uint64_t last = grown_.node_count() - 1;
    const std::uint64_t age = newest > target ? newest - target : random_->below(near);
    if (age < near) return static_cast<std::uint32_t>(last - std::min(age, last));
    const std::uint64_t width = std::max<std::uint64_t>(1, last / newest);
    const std::uint64_t scaled = last * age / newest + random_->below(width);
    return static_cast<std::uint32_t>(last - std::min(scaled, last));
  }

  const SeedGraph* seed_;
  std::uint64_t node_count_;
  Random* random_;
  std::vector<Meeting> meetings_;                   // by edge of the seed
  std::vector<std::uint32_t> ordinary_;             // the nodes of the seed that may occur several times
  std::uint64_t next_ordinary_ = 0;                 // an index into them
  std::vector<std::vector<std::uint32_t>> groups_;  // the same, by group
  std::vector<std::uint32_t> open_;                 // the new nodes that have no edges yet; the last one gets
                                                    // its edges first
  GrownGraph grown_;
};

}  // namespace

void mark_singles(SeedGraph& seed) {
  std::vector<std::uint32_t> edges(seed.node_count(), 0);
  for (const std::uint32_t target : seed.target) ++edges[target];
  for (std::uint32_t node = 0; node < seed.node_count(); ++node) {
    if (node == 0 || edges[node] >= many_edges) seed.is_single[node] = true;
  }
}

GrownGraph grow(const SeedGraph& seed, std::uint64_t node_count, Random& random) {
  return Grower(seed, node_count, random).grow();
}

}  // namespace heapcheck::bench
