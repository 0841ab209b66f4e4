// Which edges of a V8 heap snapshot belong to which node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/v8/heapsnapshot/model.hpp"
#include "recover/v8/heapsnapshot/graph_rows.hpp"

namespace heapcheck::fuzz {

/// The target of each edge, as the index of a node, and the first edge of each node.
struct EdgeOwners {
  explicit EdgeOwners(const v8::heapsnapshot::Snapshot& snapshot) {
    const recovery::v8::heapsnapshot::GraphColumns columns(snapshot);
    const auto& to_node = snapshot.table(v8::heapsnapshot::Section::edges).columns[columns.to_node];
    for_each_value(to_node, [&](std::uint64_t, std::uint64_t place) {
      targets.push_back(place / columns.node_columns);
    });
    for_each_value(snapshot.table(v8::heapsnapshot::Section::nodes).columns[columns.edge_count],
                   [&](std::uint64_t, std::uint64_t count) { first.push_back(first.back() + count); });
  }
  [[nodiscard]] auto of_node(std::size_t node) const {
    return std::span(targets).subspan(first[node], first[node + 1] - first[node]);
  }

  std::vector<std::uint64_t> targets;
  std::vector<std::uint64_t> first{0};
};

/// Whether the targets of each node's edges are among those that it had before, in the same order.
inline bool keeps_owners(const EdgeOwners& before, const EdgeOwners& after) {
  if (before.first.size() != after.first.size()) return false;
  for (std::size_t node = 0; node + 1 < after.first.size(); ++node) {
    const auto had = before.of_node(node);
    auto next = had.begin();
    for (const std::uint64_t target : after.of_node(node)) {
      next = std::find(next, had.end(), target);
      if (next == had.end()) return false;
      ++next;
    }
  }
  return true;
}

}  // namespace heapcheck::fuzz
