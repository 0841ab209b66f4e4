#include "conformance/recipe/document.hpp"

#include <fmt/format.h>

#include <deque>

namespace heapcheck::conformance {
namespace {

/// Finds the nearest node with that name below `node`, so that `colkind[3]` is a value inside the blocks of a
/// frame.
std::optional<Document::Found> find_below(Node& node, std::string_view name) {
  std::deque<Node*> todo{&node};
  while (!todo.empty()) {
    Node& parent = *todo.front();
    todo.pop_front();
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
      if (parent.children[i].name == name) return Document::Found{&parent, i, &parent.children[i]};
      todo.push_back(&parent.children[i]);
    }
  }
  return std::nullopt;
}

/// Removes the first `.`-separated step of a label and returns it.
std::string_view take_step(std::string_view& label) {
  const std::size_t dot = label.find('.');
  const std::string_view step = label.substr(0, dot);
  label.remove_prefix(dot == std::string_view::npos ? label.size() : dot + 1);
  return step;
}

void collect_ids(const Node& from, const Node& to, std::map<NodeId, NodeId>& ids) {
  ids[from.id] = to.id;
  for (std::size_t i = 0; i < from.children.size(); ++i) collect_ids(from.children[i], to.children[i], ids);
}

void renumber(Node& node, NodeId& last_id) {
  node.id = ++last_id;
  for (Node& child : node.children) renumber(child, last_id);
}

void redirect(Node& node, const std::map<NodeId, NodeId>& ids) {
  if (const auto inside = ids.find(node.amount.node); inside != ids.end()) node.amount.node = inside->second;
  for (Node& child : node.children) redirect(child, ids);
}

bool holds(const Node& node, NodeId id) {
  for (const Node& child : node.children) {
    if (child.id == id || holds(child, id)) return true;
  }
  return false;
}

}  // namespace

Document::Document() { root_ = make_group("file", {}); }

Node Document::make_bytes(std::string_view name, std::string_view bytes, std::size_t width) {
  return {.name = std::string(name),
          .shape = Node::Shape::bytes,
          .id = next_id(),
          .bytes = std::string(bytes),
          .width = width};
}

Node Document::make_integer(std::string_view name, std::size_t width, Amount amount) {
  return {.name = std::string(name),
          .shape = Node::Shape::integer,
          .id = next_id(),
          .width = width,
          .amount = amount};
}

Node Document::make_group(std::string_view name, std::vector<Node> children) {
  return {.name = std::string(name), .id = next_id(), .children = std::move(children)};
}

Node Document::make_frame(std::vector<Node> children) {
  constexpr std::uint64_t window_of_4_mib = 0x60;  // as in the frames that MoarVM writes
  Node blocks = make_group("blocks", std::move(children));
  blocks.shape = Node::Shape::blocks;
  std::vector<Node> parts;
  parts.push_back(make_bytes("magic", "\x28\xB5\x2F\xFD"));
  parts.push_back(make_integer("descriptor", 1, {}));
  parts.push_back(make_integer("window", 1, {.value = window_of_4_mib}));
  parts.push_back(std::move(blocks));
  return make_group("frame", std::move(parts));
}

std::expected<Document::Found, BuildError> Document::find(std::string_view label) {
  Found found{nullptr, 0, &root_};
  std::string_view rest = label;
  if (rest == "file") return found;
  while (!rest.empty()) {
    const std::string_view step = take_step(rest);
    list_blocks(*found.node);
    auto next = find_below(*found.node, step);
    const std::size_t bracket = step.find('[');
    if (!next && bracket != std::string_view::npos && bracket != 0) {
      next = find_below(*found.node, step.substr(0, bracket));
      if (next) list_blocks(*next->node);
      if (next) next = find_below(*next->node, step.substr(bracket));
    }
    if (!next) return std::unexpected(fmt::format("found no node {} for the label {}", step, label));
    found = *next;
  }
  return found;
}

Node& Document::group(std::string_view name) {
  for (Node& child : root_.children) {
    if (child.name == name) return child;
  }
  root_.children.push_back(make_group(name, {}));
  return root_.children.back();
}

void Document::add_entry(Node& toc, const Node& listed) {
  constexpr std::uint64_t own_start_bytes = 8;
  const bool is_toc = listed.children.back().name == "own_start";
  Node& entries = toc.children[2];
  std::vector<Node> fields;
  fields.push_back(make_bytes("kind", listed.children.front().bytes, listed.children.front().width));
  fields.push_back(make_integer("start", 8, {Amount::Of::start, listed.id, 0}));
  fields.push_back(make_integer("end", 8, {Amount::Of::end, listed.id, is_toc ? 0 - own_start_bytes : 0}));
  entries.children.push_back(
      make_group(fmt::format("entry[{}]", entries.children.size()), std::move(fields)));
}

/// An inner table lists the blocks before it in its group. An outer table lists the blocks outside groups and
/// the inner tables that come before it.
void Document::list_blocks(Node& toc) {
  if (toc.pending == Node::Listing::none) return;
  const bool is_outer = toc.pending == Node::Listing::file;
  toc.pending = Node::Listing::none;
  for (const Node& child : root_.children) {
    const bool is_here = holds(child, toc.id);
    if (child.is_block && is_outer) add_entry(toc, child);
    for (const Node& block : child.children) {
      if (block.id == toc.id) break;
      const bool is_inner_toc = block.name == "inner";
      if (block.is_block && (is_outer ? is_inner_toc : is_here && !is_inner_toc)) add_entry(toc, block);
    }
    if (is_here) break;
  }
}

void Document::list_blocks() { list_blocks_below(root_); }

void Document::list_blocks_below(Node& node) {
  list_blocks(node);
  for (Node& child : node.children) list_blocks_below(child);
}

Node Document::copy(const Node& node, std::string_view name) {
  Node made = node;
  made.name = name;
  renumber(made, last_id_);
  std::map<NodeId, NodeId> ids;
  collect_ids(node, made, ids);
  redirect(made, ids);
  return made;
}

}  // namespace heapcheck::conformance
