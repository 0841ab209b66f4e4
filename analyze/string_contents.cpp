#include "analyze/string_contents.hpp"

#include <algorithm>
#include <charconv>

namespace heapcheck::analyze {
namespace {

/// More digits than any 64-bit number has.
constexpr std::size_t longest_number = 24;

/// The target of the first of V8's own edges with that name.
std::optional<std::uint32_t> find_internal(const Node& node, std::string_view name) {
  for (const Edge edge : node.edges()) {
    if (edge.kind().name == "internal" && edge.name() == name) return edge.target();
  }
  return std::nullopt;
}

}  // namespace

StringContents::StringContents(const Graph& graph)
    : graph_(graph), pair_numbers_(graph.node_count(), Graph::no_text), texts_(graph.texts.count()) {
  add_pairs();
  for (const Node& node : graph.nodes()) {
    const GraphKind& kind = node.kind();
    if (kind.group != NodeGroup::string) continue;
    const Pair* const pair = find_pair(node.index());
    // V8 flattens a concatenated string into its first part, and leaves the second one empty.
    if (kind.has_contents || (pair != nullptr && !pair->is_flat)) nodes_.push_back(node.index());
  }
}

const StringContents::Pair* StringContents::find_pair(std::uint32_t node) const {
  if (node == Graph::no_text || pair_numbers_[node] == Graph::no_text) return nullptr;
  return &pairs_[pair_numbers_[node]];
}

std::uint32_t StringContents::like_of(std::uint32_t node) const {
  const Pair* const pair = find_pair(node);
  return pair != nullptr ? pair->like : node;
}

const TextMeasure& StringContents::measure(std::uint32_t node) {
  static constexpr TextMeasure nothing;
  if (node == Graph::no_text) return nothing;
  if (const Pair* const pair = find_pair(node)) return pair->measure;
  TextMeasure& text = texts_[graph_.node_name[node]];
  if (!text.is_known) text = hasher_.measure(graph_.node(node).name());
  return text;
}

/// The start of the contents of a node, up to and including the part with which its length reaches `units`.
TextMeasure StringContents::measure_start(std::uint32_t node, std::uint32_t units) {
  TextMeasure start;
  // Each step takes or leaves a part that is not empty, so there are at most twice longest_text of them.
  while (start.units + measure(node).units > units) {
    const Pair* const pair = find_pair(node);
    if (pair == nullptr) break;
    const TextMeasure& first = measure(pair->first);
    const bool is_needed = start.units + first.units < units;
    if (is_needed) start = hasher_.join(start, first);
    node = is_needed ? pair->second : pair->first;
  }
  return hasher_.join(start, measure(node));
}

void StringContents::add_pairs() {
  std::vector<std::uint32_t> order;
  for (const Node& node : graph_.nodes()) {
    if (node.kind().name != "concatenated string") continue;
    const auto first = find_internal(node, "first");
    const auto second = find_internal(node, "second");
    if (!first || !second) continue;
    pair_numbers_[node.index()] = static_cast<std::uint32_t>(pairs_.size());
    pairs_.push_back({.first = *first, .second = *second});
    order.push_back(node.index());
  }
  for (const std::uint32_t node : order) join(node);
}

/// Joins the parts first. Parts may be nested as deeply as the file is large.
void StringContents::join(std::uint32_t node) {
  std::vector<std::uint32_t> waiting;
  (void)open_part(node, waiting);
  while (!waiting.empty()) {
    const std::uint32_t next = waiting.back();
    Pair& pair = pairs_[pair_numbers_[next]];
    if (open_part(pair.first, waiting) || open_part(pair.second, waiting)) continue;
    finish(next, pair);
    waiting.pop_back();
  }
}

/// Returns whether the node is a concatenated string that must be joined first.
bool StringContents::open_part(std::uint32_t node, std::vector<std::uint32_t>& waiting) {
  const Pair* const pair = find_pair(node);
  if (pair == nullptr || pair->state != State::unknown) return false;
  pairs_[pair_numbers_[node]].state = State::open;
  waiting.push_back(node);
  return true;
}

/// Where a concatenated string contains itself, in a damaged file, it counts as empty.
void StringContents::finish(std::uint32_t node, Pair& pair) {
  for (std::uint32_t* const part : {&pair.first, &pair.second}) {
    const Pair* const nested = find_pair(*part);
    *part = nested != nullptr && nested->state != State::known ? Graph::no_text : like_of(*part);
  }
  const TextMeasure& first = measure(pair.first);
  const TextMeasure& second = measure(pair.second);
  pair.state = State::known;
  pair.is_flat = first.units == 0 || second.units == 0;
  if (first.units >= longest_text || second.units == 0) {
    pair.like = pair.first;
    pair.measure = first;
  } else if (first.units == 0) {
    pair.like = pair.second;
    pair.measure = second;
  } else {
    pair.like = node;
    pair.measure = hasher_.join(first, measure_start(pair.second, longest_text - first.units));
  }
}

std::string StringContents::text_of(std::uint32_t node) const {
  std::string text;
  std::uint64_t units = 0;
  std::vector<std::uint32_t> waiting = {like_of(node)};
  // Only whole parts are appended, as in DevTools. None of them is empty, so this ends soon.
  while (!waiting.empty() && units < longest_text) {
    const std::uint32_t next = waiting.back();
    waiting.pop_back();
    if (next == Graph::no_text) continue;
    const Pair* const pair = find_pair(next);
    if (pair == nullptr) {
      const std::string_view part = graph_.node(next).name();
      text += part;
      units += count_units(part);
    } else {
      waiting.push_back(pair->second);
      waiting.push_back(pair->first);
    }
  }
  return text;
}

std::optional<std::string_view> StringContents::find_text(std::uint32_t node) const {
  const std::uint32_t like = like_of(node);
  if (like == Graph::no_text) return std::string_view();
  return find_pair(like) != nullptr ? std::nullopt : std::optional(graph_.node(like).name());
}

/// Many strings refer to one node for `true`, which may have as many edges, so these are searched only once.
std::uint32_t StringContents::value_of(std::uint32_t number) {
  const auto [found, is_new] = values_.try_emplace(number, Graph::no_text);
  if (is_new) found->second = find_internal(graph_.node(number), "value").value_or(Graph::no_text);
  return found->second;
}

/// The text of a number that V8 describes as a node of type `number` with the name `type`.
std::optional<std::string_view> StringContents::find_value(const Node& node, std::string_view name,
                                                           std::string_view type) {
  const auto number = find_internal(node, name);
  if (!number) return std::nullopt;
  const Node described = graph_.node(*number);
  if (described.kind().name != "number" || described.name() != type) return std::nullopt;
  const std::uint32_t value = value_of(*number);
  return value != Graph::no_text ? std::optional(graph_.node(value).name()) : std::nullopt;
}

std::optional<std::int64_t> StringContents::find_number(const Node& node, std::string_view name) {
  const auto text = find_value(node, name, "int");
  if (!text) return std::nullopt;
  const std::string_view digits = text->substr(0, longest_number);
  std::int64_t number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

StringIdentity StringContents::identity_of(std::uint32_t node) {
  const Node string = graph_.node(node);
  StringIdentity identity{.has_size = string.size() != 0};
  identity.is_cut = find_value(string, "truncated", "bool") == "true";
  if (identity.is_cut) {
    identity.length = find_number(string, "length");
    identity.hash = find_number(string, "hash");
  } else if (find_pair(node) == nullptr && measure(node).units >= longest_text) {
    identity.size = string.size();
  }
  return identity;
}

}  // namespace heapcheck::analyze
