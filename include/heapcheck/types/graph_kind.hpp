// The kinds of nodes and edges in the graph of a snapshot, and the rules of its format. Kinds own their
// names.
#pragma once

#include <cstdint>
#include <string>

namespace heapcheck {

/// The group to which a kind of node belongs. The groups are the same for all formats.
enum class NodeGroup : std::uint8_t { other, object, type_object, stable, frame, string, root };

/// A kind of node or edge, such as `object`, `synthetic` or `element`.
struct GraphKind {
  std::string name;                    ///< the format's name for it
  NodeGroup group = NodeGroup::other;  ///< for nodes: their group
  /// For nodes: the name of the type shared by all nodes of this kind, such as `(closure)`. If this is empty,
  /// the name of each node is also the name of its type.
  std::string type_name = {};
  bool has_contents = true;  ///< for string nodes: whether their names are the strings' contents
  /// For nodes: whether nodes with the same name and different places have different types, like objects of
  /// two classes with the same name. If not, the place only shows where the node itself comes from.
  bool place_is_of_type = false;
  bool is_weak = false;    ///< for edges: whether they allow their targets to be collected
  bool has_index = false;  ///< for edges: whether they have a number, as elements do, instead of a name
};

/// Whether a node belongs to the page that a browser shows. spec: analysis.md#detached-nodes
enum class DomState : std::uint8_t {
  unknown,   ///< the file does not state it, as for all nodes that are not part of a page
  attached,  ///< part of the document
  detached,  ///< no longer part of the document, or not yet
};

/// The rules that decide which edges retain their targets. spec: analysis.md#what-retains
enum class RetentionRules : std::uint8_t {
  references,  ///< every edge that is not weak retains its target
  devtools,    ///< those of Chrome DevTools, for V8 heap snapshots
};

}  // namespace heapcheck
