// Makes one tree of stack frames of the nodes of a process's dumps: nodes of the same parent and name become
// one frame. Nodes may stand in any order, and any number under one parent; time is n log n whatever they
// are. Owns its columns.
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
  /// Takes in the nodes of the current dump of `scope`. A node whose name is not in the maps is called
  /// `unnamed`.
  void add(const format::Dump& dump, const format::Scope& scope, core::PoolIndex unnamed);

  /// The tree of all nodes that were added, level by level, each level in order of parent and name.
  [[nodiscard]] FrameTree make_tree();

  /// The frame of a node, after make_tree().
  [[nodiscard]] FrameIndex frame(format::RowRef node) const { return frame_[number(node)]; }

  /// Nodes whose parent is missing or was cut off because they are their own ancestors.
  [[nodiscard]] std::uint64_t lost_parents() const { return lost_parents_; }
  /// Nodes whose name is missing.
  [[nodiscard]] std::uint64_t lost_names() const { return lost_names_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Nodes are numbered across dumps.
  [[nodiscard]] std::uint32_t number(format::RowRef node) const { return first_.at(node.dump) + node.row; }
  [[nodiscard]] std::uint32_t find_parent(const format::Dump& dump, const format::Scope& scope,
                                          std::uint64_t row);
  std::vector<std::uint32_t> measure_depths();
  void walk_up(std::uint32_t node, std::vector<std::uint32_t>& depth, std::vector<std::uint32_t>& path);

  std::map<std::uint32_t, std::uint32_t> first_;  // of each dump, the number of its first node
  std::vector<std::uint32_t> parent_;
  std::vector<core::PoolIndex> name_;
  std::vector<FrameIndex> frame_;
  std::uint64_t lost_parents_ = 0;
  std::uint64_t lost_names_ = 0;
};

}  // namespace heapcheck::conversion::chrome::heaps_v2
