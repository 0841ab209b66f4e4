#include "analyze/string_contents.hpp"

#include <charconv>

namespace heapcheck::analyze {
namespace {

/// The length at which V8 cuts off contents, and at which DevTools stops to put them together.
constexpr std::uint64_t longest_text = 1024;

/// The length of a text in UTF-16.
std::uint64_t count_units(std::string_view text) {
  std::uint64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

/// The target of the first of V8's own edges with that name.
std::optional<std::uint32_t> find_internal(const Node& node, std::string_view name) {
  for (const Edge edge : node.edges()) {
    if (edge.kind().name == "internal" && edge.name() == name) return edge.target();
  }
  return std::nullopt;
}

/// The text of a number that V8 describes as a node of the type `number`, with the name `type`.
std::optional<std::string_view> find_value(const Node& node, const Graph& graph, std::string_view name,
                                           std::string_view type) {
  const auto number = find_internal(node, name);
  if (!number) return std::nullopt;
  const Node described = graph.node(*number);
  if (described.kind().name != "number" || described.name() != type) return std::nullopt;
  const auto value = find_internal(described, "value");
  return value ? std::optional(graph.node(*value).name()) : std::nullopt;
}

std::optional<std::int64_t> find_number(const Node& node, const Graph& graph, std::string_view name) {
  const auto text = find_value(node, graph, name, "int");
  std::int64_t number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

}  // namespace

StringContents::StringContents(const Graph& graph) : graph_(graph) {
  add_pairs();
  for (const Node& node : graph.nodes()) {
    const GraphKind& kind = node.kind();
    if (kind.group != NodeGroup::string) continue;
    const Pair* const pair = find_pair(node.index());
    // V8 flattens a concatenated string into its first part, and leaves the second one empty.
    const bool is_flat = pair != nullptr && (count_units(pair->first) == 0 || count_units(pair->second) == 0);
    if (kind.has_contents || (pair != nullptr && !is_flat)) nodes_.push_back(node.index());
  }
}

const StringContents::Pair* StringContents::find_pair(std::uint32_t node) const {
  const auto found = pairs_.find(node);
  return found == pairs_.end() ? nullptr : &found->second;
}

std::uint64_t StringContents::count_units(std::uint32_t node) const {
  if (node == Graph::no_text) return 0;
  const Pair* const pair = find_pair(node);
  return pair != nullptr ? pair->units : analyze::count_units(graph_.node(node).name());
}

void StringContents::add_pairs() {
  std::vector<std::uint32_t> order;
  for (const Node& node : graph_.nodes()) {
    if (node.kind().name != "concatenated string") continue;
    const auto first = find_internal(node, "first");
    const auto second = find_internal(node, "second");
    if (!first || !second) continue;
    pairs_[node.index()] = {.first = *first, .second = *second};
    order.push_back(node.index());
  }
  for (const std::uint32_t node : order) join(node);
}

/// Finds the texts of the parts first. Parts may be nested as deeply as the file is large.
void StringContents::join(std::uint32_t node) {
  std::vector<std::uint32_t> waiting;
  (void)open_part(node, waiting);
  while (!waiting.empty()) {
    const std::uint32_t next = waiting.back();
    Pair& pair = pairs_.at(next);
    if (open_part(pair.first, waiting) || open_part(pair.second, waiting)) continue;
    finish(next, pair);
    waiting.pop_back();
  }
}

/// Returns whether the node is a concatenated string that must be joined first.
bool StringContents::open_part(std::uint32_t node, std::vector<std::uint32_t>& waiting) {
  const auto found = pairs_.find(node);
  if (found == pairs_.end() || found->second.state != State::unknown) return false;
  found->second.state = State::open;
  waiting.push_back(node);
  return true;
}

/// Where a concatenated string contains itself, in a damaged file, it counts as empty.
void StringContents::finish(std::uint32_t node, Pair& pair) {
  for (std::uint32_t* const part : {&pair.first, &pair.second}) {
    const Pair* const nested = find_pair(*part);
    if (nested != nullptr && nested->state != State::known) *part = Graph::no_text;
  }
  const Pair* const first = find_pair(pair.first);
  const bool is_same = count_units(pair.first) >= longest_text || count_units(pair.second) == 0;
  pair.like = is_same && first != nullptr ? first->like : node;
  pair.state = State::known;
  if (pair.like != node) {
    pair.units = first->units;
    pair.hash = first->hash;
    return;
  }
  const std::string text = text_of(node);
  pair.units = analyze::count_units(text);
  pair.hash = core::KeyedHash{}(std::string_view(text));
}

std::string StringContents::text_of(std::uint32_t node) const {
  std::string text;
  std::uint64_t units = 0;
  std::vector<std::uint32_t> waiting = {node};
  // Only whole parts are appended, as in DevTools. `like` skips parts that add nothing, so this ends soon.
  while (!waiting.empty() && units < longest_text) {
    const std::uint32_t next = waiting.back();
    waiting.pop_back();
    if (next == Graph::no_text) continue;
    const Pair* const pair = find_pair(next);
    if (pair == nullptr) {
      const std::string_view part = graph_.node(next).name();
      text += part;
      units += analyze::count_units(part);
    } else {
      const Pair& like = pairs_.at(pair->like);
      waiting.push_back(like.second);
      waiting.push_back(like.first);
    }
  }
  return text;
}

std::uint32_t StringContents::source_of(std::uint32_t node) const {
  const Pair* const pair = find_pair(node);
  return pair != nullptr ? pair->like : node;
}

std::uint64_t StringContents::hash_of(std::uint32_t node) const {
  const Pair* const pair = find_pair(node);
  std::uint64_t hash = pair != nullptr ? pair->hash : core::KeyedHash{}(graph_.node(node).name());
  const StringIdentity identity = identity_of(node);
  for (const auto& number : {identity.length, identity.hash})
    hash = core::KeyedHash::combine(hash, static_cast<std::uint64_t>(number.value_or(0)));
  return core::KeyedHash::combine(hash, identity.size.value_or(0));
}

StringIdentity StringContents::identity_of(std::uint32_t node) const {
  const Node string = graph_.node(node);
  StringIdentity identity{.has_size = string.size() != 0};
  identity.is_cut = find_value(string, graph_, "truncated", "bool") == "true";
  if (identity.is_cut) {
    identity.length = find_number(string, graph_, "length");
    identity.hash = find_number(string, graph_, "hash");
  } else if (find_pair(node) == nullptr && count_units(node) >= longest_text) {
    identity.size = string.size();
  }
  return identity;
}

}  // namespace heapcheck::analyze
