// Computes the places of the nodes of a document, and encodes them.
#include <algorithm>

#include "conformance/recipe/document.hpp"
#include "conformance/recipe/wrap.hpp"
#include "formats/core/codec.hpp"

namespace heapcheck::conformance {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{128} * 1024;
constexpr std::uint64_t block_head_bytes = 3;
constexpr std::uint64_t stored = 0;
constexpr std::uint64_t run_length = 1;

std::uint64_t block_count(std::uint64_t content) {
  return std::max<std::uint64_t>((content + block_bytes - 1) / block_bytes, 1);
}

void encode_block_head(bool is_last, std::uint64_t type, std::uint64_t size, Bytes& out) {
  const std::uint64_t head = (is_last ? 1U : 0U) | type << 1U | size << 3U;
  for (std::uint64_t i = 0; i < block_head_bytes; ++i)
    out.push_back(static_cast<std::uint8_t>(head >> (8 * i)));
}

void encode_stored(core::ByteSpan content, Bytes& out) {
  const std::uint64_t blocks = block_count(content.size());
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const auto piece =
        content.subspan(i * block_bytes, std::min(block_bytes, content.size() - i * block_bytes));
    encode_block_head(i + 1 == blocks, stored, piece.size(), out);
    out.insert(out.end(), piece.begin(), piece.end());
  }
}

void encode_fill(const statement::Fill& fill, Bytes& out) {
  const std::uint64_t blocks = block_count(fill.count);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    encode_block_head(i + 1 == blocks, run_length, std::min(block_bytes, fill.count - i * block_bytes), out);
    out.push_back(static_cast<std::uint8_t>(fill.byte));
  }
}

/// The offset in the file of byte `position` of a frame's content.
std::uint64_t place_in_blocks(std::uint64_t position) {
  return position + block_head_bytes * (position / block_bytes + 1);
}

/// Converts the places of all nodes below `node` from the content that starts at `start` to the blocks that
/// contain it.
void spread_over_blocks(const Node& node, std::uint64_t start, Layout& layout) {
  for (const Node& child : node.children) {
    Span& span = layout[child.id].file;
    layout[child.id].content = Span{span.offset - start, span.length};
    const std::uint64_t first = span.offset - start;
    const std::uint64_t last = span.length == 0 ? first : first + span.length - 1;
    span.offset = start + place_in_blocks(first);
    span.length = span.length == 0 ? 0 : start + place_in_blocks(last) + 1 - span.offset;
    spread_over_blocks(child, start, layout);
  }
}

std::uint64_t place_children(const Node& node, std::uint64_t start, Layout& layout);

std::uint64_t byte_count_at(const Node& node, std::uint64_t start, Layout& layout) {
  switch (node.shape) {
    case Node::Shape::bytes:
      return std::max(node.bytes.size(), node.width);
    case Node::Shape::integer:
      return node.width;
    case Node::Shape::group:
      return place_children(node, start, layout);
    case Node::Shape::blocks:
      break;
  }
  const std::uint64_t content = place_children(node, start, layout);
  if (node.fill) return block_count(node.fill->count) * (block_head_bytes + 1);
  spread_over_blocks(node, start, layout);
  return content + block_count(content) * block_head_bytes;
}

std::uint64_t place_children(const Node& node, std::uint64_t start, Layout& layout) {
  std::uint64_t offset = start;
  for (const Node& child : node.children) {
    const std::uint64_t byte_count = byte_count_at(child, offset, layout);
    layout[child.id].file = {offset, byte_count};
    offset += byte_count;
  }
  return offset - start;
}

/// Records `block` for `node` and all nodes below it.
void mark_blocks(const Node& node, Span block, Layout& layout) {
  Spot& spot = layout[node.id];
  spot.block = node.is_block ? spot.file : block;
  for (const Node& child : node.children) mark_blocks(child, spot.block, layout);
}

std::map<NodeId, std::uint64_t> count_children(const Node& node) {
  std::map<NodeId, std::uint64_t> counts{{node.id, node.children.size()}};
  for (const Node& child : node.children) counts.merge(count_children(child));
  return counts;
}

class Encoder {
 public:
  Encoder(const Layout& layout, std::map<NodeId, std::uint64_t> counts)
      : layout_(layout), counts_(std::move(counts)) {}

  void encode(const Node& node, Bytes& out) const {
    switch (node.shape) {
      case Node::Shape::bytes:
        out.insert(out.end(), node.bytes.begin(), node.bytes.end());
        if (node.width > node.bytes.size()) out.insert(out.end(), node.width - node.bytes.size(), 0);
        return;
      case Node::Shape::integer:
        return encode_integer(node, out);
      case Node::Shape::group:
        return encode_children(node, out);
      case Node::Shape::blocks:
        return encode_blocks(node, out);
    }
  }

 private:
  void encode_integer(const Node& node, Bytes& out) const {
    const auto count = counts_.find(node.amount.node);
    const bool counts = node.amount.of == Amount::Of::child_count && count != counts_.end();
    const std::uint64_t value = counts ? count->second + node.amount.value : resolve(node.amount, layout_);
    for (std::size_t i = 0; i < node.width; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  void encode_children(const Node& node, Bytes& out) const {
    for (const Node& child : node.children) encode(child, out);
  }

  void encode_blocks(const Node& node, Bytes& out) const {
    if (node.fill) return encode_fill(*node.fill, out);
    Bytes content;
    encode_children(node, content);
    encode_stored(content, out);
  }

  const Layout& layout_;
  std::map<NodeId, std::uint64_t> counts_;
};

}  // namespace

Layout lay_out(const Document& document) {
  Layout layout;
  const std::uint64_t byte_count = place_children(document.root(), 0, layout);
  layout[document.root().id].file = {0, byte_count};
  mark_blocks(document.root(), {}, layout);
  return layout;
}

std::uint64_t resolve(const Amount& amount, const Layout& layout) {
  const auto found = layout.find(amount.node);
  const Span span = found == layout.end() ? Span{} : found->second.file;
  switch (amount.of) {
    case Amount::Of::start:
      return span.offset + amount.value;
    case Amount::Of::end:
      return span.end() + amount.value;
    case Amount::Of::size:
      return span.length + amount.value;
    case Amount::Of::itself:
    case Amount::Of::child_count:
      break;
  }
  return amount.value;
}

Bytes encode(const Document& document, const Layout& layout) {
  Bytes out;
  Encoder(layout, count_children(document.root())).encode(document.root(), out);
  return out;
}

Bytes store_as_zstd(core::ByteSpan content) {
  Bytes out{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x60};
  encode_stored(content, out);
  return out;
}

}  // namespace heapcheck::conformance
