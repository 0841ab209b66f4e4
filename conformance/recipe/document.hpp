// The bytes of a case before they are bytes: a tree of named nodes whose numbers may follow from
// the layout. Changes are made here, so that sizes and offsets come out right without counting.
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
/// Why a recipe cannot be made into bytes: one clause.
using BuildError = std::string;

/// A number: itself, or what follows from the place of a node, `value` added to it.
struct Amount {
  enum class Of : std::uint8_t { itself, start, end, size, child_count } of = Of::itself;
  NodeId node = 0;
  std::uint64_t value = 0;  ///< added to what `of` says; wraps, so that it can also be subtracted
};

struct Node {
  enum class Shape : std::uint8_t {
    bytes,    ///< `bytes`, padded with NUL to `width`
    integer,  ///< `amount`, little endian, in `width` bytes
    group,    ///< its children
    blocks,   ///< its children as content of stored zstd blocks, or `fill` as RLE blocks
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
  bool is_block = false;            ///< what tables of contents list
  Listing pending = Listing::none;  ///< a table of contents that has no entries yet
};

class Document {
 public:
  Document();

  Node make_bytes(std::string_view name, std::string_view bytes, std::size_t width = 0);
  Node make_integer(std::string_view name, std::size_t width, Amount amount);
  Node make_group(std::string_view name, std::vector<Node> children);
  /// One zstd frame with `children` as its content: no content size, stored blocks.
  Node make_frame(std::vector<Node> children);

  [[nodiscard]] Node& root() { return root_; }
  [[nodiscard]] const Node& root() const { return root_; }

  /// Where a node hangs.
  struct Found {
    Node* parent;  ///< null for the root
    std::size_t index;
    Node* node;
  };
  /// The node of that label. Fills in tables of contents on the way.
  std::expected<Found, BuildError> find(std::string_view label);
  /// The group of that name below the root, made if there is none.
  Node& group(std::string_view name);
  /// Fills in all tables of contents that have no entries yet.
  void list_blocks();
  /// A copy of `node` under another name, whose own references stay inside it.
  Node copy(const Node& node, std::string_view name);

 private:
  void list_blocks(Node& toc);
  void list_blocks_below(Node& node);
  void add_entry(Node& toc, const Node& listed);
  NodeId next_id() { return ++last_id_; }

  NodeId last_id_ = 0;
  Node root_;
};

/// Where a node came to lie.
struct Spot {
  Span file;
  std::optional<Span> content = std::nullopt;  ///< inside the frame that holds it, if one does
  Span block = {};                             ///< of the block that it is or belongs to
};
using Layout = std::map<NodeId, Spot>;

/// The place of every node of `document`, whose tables of contents are filled in.
Layout lay_out(const Document& document);
/// The bytes of `document` laid out so.
Bytes encode(const Document& document, const Layout& layout);
/// What an amount comes to.
std::uint64_t resolve(const Amount& amount, const Layout& layout);

}  // namespace heapcheck::conformance
