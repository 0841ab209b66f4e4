// Makes a graph from any bytes. Does not borrow anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "heapcheck/types/graph.hpp"

namespace heapcheck::fuzz {

/// Each pair of bytes is an edge. The bytes determine its source and target, and their remaining bits
/// determine its kind and name. `count` is from 1 to 64. If `is_v8` is true, the kinds and rules are those of
/// a V8 heap snapshot.
inline Graph make_graph(std::uint32_t count, std::span<const std::uint8_t> bytes, bool is_v8) {
  Graph graph;
  if (is_v8) graph.rules = RetentionRules::devtools;
  for (const char* name : {"object", "synthetic", "array", "hidden"})
    graph.node_kinds.push_back({.name = name});
  for (const char* name : {is_v8 ? "shortcut" : "name", "internal", "weak", "property"})
    graph.edge_kinds.push_back({.name = name, .is_weak = std::string_view(name) == "weak"});
  graph.texts.add("4");
  graph.texts.add("(map descriptors)");
  graph.texts.add("1 / part of key (K @1) -> value (V @2) pair in WeakMap (table @3)");
  for (std::uint32_t node = 0; node < count; ++node) {
    graph.node_kind.push_back(static_cast<std::uint8_t>((node + 1) % 4));
    graph.node_name.push_back(node % 2);
    graph.node_size.push_back(node + 1);
    graph.node_id.push_back(node);
    graph.first_edge.push_back(graph.edge_count());
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      if (bytes[i] % count != node) continue;
      graph.edge_target.push_back(bytes[i + 1] % count);
      graph.edge_kind.push_back(bytes[i] / count % 4);
      graph.edge_name.push_back(bytes[i + 1] / count % 3);
    }
  }
  graph.first_edge.push_back(graph.edge_count());
  return graph;
}

}  // namespace heapcheck::fuzz
