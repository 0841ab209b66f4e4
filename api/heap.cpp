#include "heapcheck/heap.hpp"

#include <utility>

#include "analyze/heap.hpp"
#include "api/state.hpp"

namespace heapcheck {

Heap::Heap(Graph graph) : state_(std::make_shared<State>(std::move(graph))) {}

const Graph& Heap::graph() const { return state_->graph(); }

void Heap::prepare() const { state_->prepare(); }

std::vector<NodeTotals> Heap::kinds() const { return state_->kinds(); }

NodeTotals Heap::total() const { return state_->total(); }

std::vector<NodeTotals> Heap::top(TopOf of, TopBy by) const { return state_->top(of, by); }

Result<std::vector<std::uint32_t>> Heap::find(std::string_view query) const { return state_->find(query); }

Result<void> Heap::check_query(std::string_view query) { return analyze::Heap::check_query(query); }

Result<std::uint32_t> Heap::find_node(std::string_view id) const { return state_->find_node(id); }

std::span<const std::uint64_t> Heap::retained_sizes() const { return state_->retained_sizes(); }

std::optional<std::uint32_t> Heap::dominator_of(std::uint32_t node) const {
  return state_->dominator_of(node);
}

std::span<const std::uint32_t> Heap::dominated_by(std::uint32_t node) const {
  return state_->dominated_by(node);
}

std::vector<std::uint32_t> Heap::find_unreachable() const { return state_->find_unreachable(); }

std::vector<PathStep> Heap::path_to(std::uint32_t node) const { return state_->path_to(node); }

std::vector<std::vector<PathStep>> Heap::paths_to(std::uint32_t node, std::size_t most) const {
  return state_->paths_to(node, most);
}

std::vector<MergedPathRow> Heap::merge_paths(std::span<const std::uint32_t> nodes,
                                             std::uint64_t limit) const {
  return state_->merge_paths(nodes, limit);
}

Result<std::vector<DuplicateStrings>> Heap::duplicates() const { return state_->duplicates(); }

std::vector<DominatorRow> Heap::dominator_tree(std::uint32_t node, bool by_type, std::uint64_t limit) const {
  return state_->dominator_tree(node, by_type, limit);
}

std::vector<DominatorRow> Heap::outline(std::uint64_t limit) const { return state_->outline(limit); }

std::vector<Suspect> Heap::suspects(const SuspectOptions& options) const {
  return state_->suspects(options).suspects;
}

Growth Heap::growth_since(const Heap& first, std::span<const Heap> between,
                          const SuspectOptions& options) const {
  std::optional<analyze::NodesById> common;
  for (const Heap& heap : between) {
    analyze::NodesById nodes(heap.graph());
    if (common)
      common->keep_common(nodes);
    else
      common = std::move(nodes);
  }
  return state_->growth_since(*first.state_, common ? &*common : nullptr, options);
}

std::vector<std::uint64_t> Heap::edges_to(std::uint32_t node) const { return state_->edges_to(node); }

std::uint32_t Heap::source_of(std::uint64_t edge) const { return state_->graph().source_of(edge); }

}  // namespace heapcheck
