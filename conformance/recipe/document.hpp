// The content of a case before it is laid out: a tree of named nodes whose numbers may depend on the layout.
// Changes are made here, so that sizes and offsets are adjusted automatically.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/recipe/recipe.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::conformance {

using Bytes = std::vector<std::uint8_t>;
using NodeId = std::uint64_t;
/// One clause that explains why a recipe cannot be built.
using BuildError = std::string;

/// A number: `value`, or the place or size of a node plus `value`.
struct Amount {
  enum class Of : std::uint8_t { itself, start, end, size, child_count } of = Of::itself;
  NodeId node = 0;
  /// This is added to the place or size of the node. The sum wraps around, so a negative number can be added.
  std::uint64_t value = 0;
};

struct Node {
  enum class Shape : std::uint8_t {
    bytes,    ///< `bytes`, padded with NUL to `width`
    integer,  ///< `amount`, little endian, in `width` bytes
    group,    ///< its children
    blocks,   ///< stored zstd blocks that contain its children, or RLE blocks made from `fill`
  };
  enum class Listing : std::uint8_t { none, part, file };

  std::string name;
  Shape shape = Shape::group;
  NodeId id = 0;
  std::string bytes = {};
  std::size_t width = 0;
  Amount amount = {};
  std::vector<Node> children = {};
  std::optional<statement::Fill> fill = std::nullopt;
  bool is_block = false;            ///< whether it is listed in tables of contents
  Listing pending = Listing::none;  ///< set for a table of contents that has no entries yet
};

class Document {
 public:
  Document();

  Node make_bytes(std::string_view name, std::string_view bytes, std::size_t width = 0);
  Node make_integer(std::string_view name, std::size_t width, Amount amount);
  Node make_group(std::string_view name, std::vector<Node> children);
  /// One zstd frame with `children` as its content, without a content size and with stored blocks.
  Node make_frame(std::vector<Node> children);

  [[nodiscard]] Node& root() { return root_; }
  [[nodiscard]] const Node& root() const { return root_; }

  /// The place of a node in the tree.
  struct Found {
    Node* parent;  ///< null for the root
    std::size_t index;
    Node* node;
  };
  /// Finds the node with that label. Fills in the tables of contents on the way.
  std::expected<Found, BuildError> find(std::string_view label);
  /// Returns the group with that name below the root, which is created if there is none.
  Node& group(std::string_view name);
  /// Fills in all tables of contents that have no entries yet.
  void list_blocks();
  /// Copies `node` under a new name. References between nodes of the original become references between nodes
  /// of the copy.
  Node copy(const Node& node, std::string_view name);

 private:
  void list_blocks(Node& toc);
  void list_blocks_below(Node& node);
  void add_entry(Node& toc, const Node& listed);
  NodeId next_id() { return ++last_id_; }

  NodeId last_id_ = 0;
  Node root_;
};

/// The place of a node in the layout.
struct Spot {
  Span file;
  std::optional<Span> content = std::nullopt;  ///< the place inside the frame that contains the node, if any
  Span block = {};                             ///< the block that contains the node or that is the node
};
using Layout = std::map<NodeId, Spot>;

/// Computes the place of every node of `document`, whose tables of contents must have been filled in.
Layout lay_out(const Document& document);
/// Encodes `document` in this layout.
Bytes encode(const Document& document, const Layout& layout);
/// The value of an amount.
std::uint64_t resolve(const Amount& amount, const Layout& layout);

}  // namespace heapcheck::conformance
