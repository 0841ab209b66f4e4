#include "convert/chrome/heaps_v2/frame_merger.hpp"

#include <algorithm>
#include <ranges>
#include <span>

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;
namespace {

constexpr std::uint32_t unknown_depth = UINT32_MAX;
constexpr std::uint32_t on_path = UINT32_MAX - 1;

/// Nodes in order of depth, and the index at which each depth begins.
struct Levels {
  std::vector<std::uint32_t> nodes;
  std::vector<std::size_t> starts;
};

Levels sort_by_depth(const std::vector<std::uint32_t>& depth) {
  Levels levels;
  const std::uint32_t deepest = depth.empty() ? 0 : std::ranges::max(depth);
  levels.starts.assign(std::size_t{deepest} + 2, 0);
  for (const std::uint32_t value : depth) ++levels.starts[std::size_t{value} + 1];
  for (std::size_t i = 1; i < levels.starts.size(); ++i) levels.starts[i] += levels.starts[i - 1];
  std::vector<std::size_t> next = levels.starts;
  levels.nodes.resize(depth.size());
  for (std::uint32_t node = 0; node < depth.size(); ++node) levels.nodes[next[depth[node]]++] = node;
  return levels;
}

}  // namespace

void FrameMerger::add(const format::Dump& dump, const format::Scope& scope, core::PoolIndex unnamed) {
  first_[scope.current()] = static_cast<std::uint32_t>(parent_.size());
  for (std::uint64_t row = 0; row < dump.nodes.id.size(); ++row) {
    const auto name = scope.find_name(dump.nodes, row);
    lost_names_ += name || dump.nodes.name_sid[row] == 0 ? 0U : 1U;
    name_.push_back(name.value_or(unnamed));
    parent_.push_back(find_parent(dump, scope, row));
  }
}

std::uint32_t FrameMerger::find_parent(const format::Dump& dump, const format::Scope& scope,
                                       std::uint64_t row) {
  const std::uint64_t id = dump.nodes.parent[row];
  if (id == format::no_id) return none;
  const auto parent = scope.find(format::MapKind::nodes, id);
  if (parent) return number(*parent);
  lost_parents_ += id == 0 ? 0U : 1U;
  return none;
}

/// Finds the depth of a node and of all nodes above it, up to the first one whose depth is known.
void FrameMerger::walk_up(std::uint32_t node, std::vector<std::uint32_t>& depth,
                          std::vector<std::uint32_t>& path) {
  path.clear();
  while (node != none && depth[node] == unknown_depth) {
    depth[node] = on_path;
    path.push_back(node);
    node = parent_[node];
  }
  if (node != none && depth[node] == on_path) {
    parent_[path.back()] = none;
    ++lost_parents_;
    node = none;
  }
  std::uint32_t next = node == none ? 0 : depth[node] + 1;
  for (const std::uint32_t below : std::views::reverse(path)) depth[below] = next++;
}

std::vector<std::uint32_t> FrameMerger::measure_depths() {
  std::vector<std::uint32_t> depth(parent_.size(), unknown_depth);
  std::vector<std::uint32_t> path;
  for (std::uint32_t node = 0; node < depth.size(); ++node) walk_up(node, depth, path);
  return depth;
}

FrameTree FrameMerger::make_tree() {
  struct Item {
    std::uint64_t key;  // parent and name
    std::uint32_t node;
  };
  FrameTree tree;
  frame_.assign(parent_.size(), no_frame);
  const Levels levels = sort_by_depth(measure_depths());
  std::vector<Item> items;
  for (std::size_t level = 0; level + 1 < levels.starts.size(); ++level) {
    items.clear();
    const auto nodes = std::span(levels.nodes)
                           .subspan(levels.starts[level], levels.starts[level + 1] - levels.starts[level]);
    for (const std::uint32_t node : nodes) {
      const FrameIndex parent = parent_[node] == none ? no_frame : frame_[parent_[node]];
      items.push_back(
          {std::uint64_t{static_cast<std::uint32_t>(parent)} << 32 | static_cast<std::uint32_t>(name_[node]),
           node});
    }
    std::ranges::sort(items, {}, &Item::key);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == 0 || items[i].key != items[i - 1].key) {
        tree.parent.push_back(FrameIndex{static_cast<std::uint32_t>(items[i].key >> 32)});
        tree.name.push_back(name_[items[i].node]);
      }
      frame_[items[i].node] = FrameIndex{static_cast<std::uint32_t>(tree.count() - 1)};
    }
  }
  return tree;
}

}  // namespace heapcheck::conversion::chrome::heaps_v2
