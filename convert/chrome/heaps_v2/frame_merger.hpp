// Makes one tree of stack frames from the nodes of a process's dumps: nodes with the same parent and name
// become one frame. Nodes may come in any order, and any number of them may have the same parent; merging n
// nodes always takes n log n time. Owns its columns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "convert/chrome/profile.hpp"
#include "formats/chrome/heaps_v2/scope.hpp"

namespace heapcheck::conversion::chrome::heaps_v2 {

namespace format = heapcheck::chrome::heaps_v2;

class FrameMerger {
 public:
  /// Adds the nodes of the current dump of `scope`. A node whose name is not in the maps gets the name
  /// `unnamed`.
  void add(const format::Dump& dump, const format::Scope& scope, core::PoolIndex unnamed);

  /// The tree of all nodes that were added, level by level, and within a level in order of parent and name.
  [[nodiscard]] FrameTree make_tree();

  /// The frame of a node; valid after make_tree().
  [[nodiscard]] FrameIndex frame(format::RowRef node) const { return frame_[number(node)]; }

  /// Number of nodes whose parent is missing, or was cut off because the node is its own ancestor.
  [[nodiscard]] std::uint64_t lost_parents() const { return lost_parents_; }
  /// Number of nodes whose name is missing.
  [[nodiscard]] std::uint64_t lost_names() const { return lost_names_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The number of a node, counted across all dumps.
  [[nodiscard]] std::uint32_t number(format::RowRef node) const { return first_.at(node.dump) + node.row; }
  [[nodiscard]] std::uint32_t find_parent(const format::Dump& dump, const format::Scope& scope,
                                          std::uint64_t row);
  std::vector<std::uint32_t> measure_depths();
  void walk_up(std::uint32_t node, std::vector<std::uint32_t>& depth, std::vector<std::uint32_t>& path);

  std::map<std::uint32_t, std::uint32_t> first_;  // by dump: the number of its first node
  std::vector<std::uint32_t> parent_;
  std::vector<core::PoolIndex> name_;
  std::vector<FrameIndex> frame_;
  std::uint64_t lost_parents_ = 0;
  std::uint64_t lost_names_ = 0;
};

}  // namespace heapcheck::conversion::chrome::heaps_v2
