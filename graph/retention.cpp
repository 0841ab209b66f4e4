#include "graph/retention.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "formats/core/checked.hpp"

namespace heapcheck::graph {
namespace {

constexpr std::string_view digits = "0123456789";

/// Removes `@` and a number from the end of `text`. Returns whether they were there.
bool take_id(std::string_view& text) {
  const std::size_t last = text.find_last_not_of(digits);
  if (last == std::string_view::npos || last + 1 == text.size()) return false;
  if (!text.substr(0, last + 1).ends_with(" @")) return false;
  text.remove_suffix(text.size() - (last - 1));
  return true;
}

/// Whether `text` is a key and a value, such as `Object @5) -> value (Object @7`.
bool is_pair(std::string_view text) {
  constexpr std::string_view between = ") -> value (";
  if (!take_id(text)) return false;
  for (std::size_t at = text.find(between); at != std::string_view::npos; at = text.find(between, at + 1)) {
    std::string_view key = text.substr(0, at);
    if (take_id(key)) return true;
  }
  return false;
}

std::uint32_t target_of(const Graph& graph, std::uint64_t edge) {
  return graph.edge_target[static_cast<std::size_t>(edge)];
}

const GraphKind& kind_of(const Graph& graph, std::uint64_t edge) {
  return graph.edge_kinds[graph.edge_kind[static_cast<std::size_t>(edge)]];
}

bool is_document_root(const Node& node) {
  return node.kind().name == "synthetic" && node.name() == "(Document DOM trees)";
}

/// The nodes that are held by the global objects and documents of the page or program. All other nodes belong
/// to V8 itself.
NodeSet find_page_nodes(const Graph& graph) {
  NodeSet found(graph.node_count());
  std::vector<std::uint32_t> waiting;
  const auto add = [&](std::uint32_t node) {
    if (found.add(node)) waiting.push_back(node);
  };
  // The root's shortcuts lead to the global objects of pages. spec: analysis.md#what-retains
  for (const Edge edge : graph.node(0).edges()) {
    const std::string_view kind = edge.kind().name;
    const bool is_document = kind == "element" && is_document_root(graph.node(edge.target()));
    if (kind == "shortcut" || is_document) add(edge.target());
  }
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    for (const Edge edge : graph.node(node).edges()) {
      if (!edge.kind().is_weak) add(edge.target());
    }
  }
  return found;
}

/// Decides which edges of a V8 heap snapshot retain their targets.
class DevToolsRules {
 public:
  explicit DevToolsRules(const Graph& graph)
      : graph_(graph), is_page_(find_page_nodes(graph)), is_ephemeron_(find_ephemeron_names(graph)) {
    for (const GraphKind& kind : graph.edge_kinds) {
      is_shortcut_.push_back(kind.name == "shortcut");
      is_internal_.push_back(kind.name == "internal");
    }
  }

  [[nodiscard]] bool retains(std::uint32_t source, std::uint64_t edge) const {
    const std::uint32_t target = target_of(graph_, edge);
    const std::uint8_t kind = graph_.edge_kind[static_cast<std::size_t>(edge)];
    if (graph_.edge_kinds[kind].is_weak || source == target) return false;
    if (is_internal_[kind] && is_from_table(source, edge)) return false;
    if (source == 0) return true;
    return !is_shortcut_[kind] && (is_page_.has(source) || !is_page_.has(target));
  }

 private:
  const Graph& graph_;
  NodeSet is_page_;
  NodeSet is_ephemeron_;  ///< by text
  std::vector<bool> is_shortcut_;
  std::vector<bool> is_internal_;

  /// Whether the edge leads from the table of a WeakMap to a value. It is the key that retains the value.
  [[nodiscard]] bool is_from_table(std::uint32_t source, std::uint64_t edge) const {
    const std::uint32_t name = graph_.edge_name[static_cast<std::size_t>(edge)];
    return is_ephemeron_.has(name) && parse_ephemeron(graph_.texts[name])->table == graph_.node_id[source];
  }
};

/// Calls `use` with each edge and its source.
template <class Use>
void for_each_edge(const Graph& graph, Use use) {
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    for (std::uint64_t edge = graph.first_edge[node]; edge < graph.first_edge[std::size_t{node} + 1]; ++edge)
      use(node, edge);
  }
}

bool has_user_roots(const Graph& graph) {
  return std::ranges::any_of(graph.node(0).edges(),
                             [&](const Edge& edge) { return is_user_root(graph, edge.target()); });
}

/// For each node, the node that owns it. Nodes other than arrays and hidden nodes own themselves.
class Owners {
 public:
  static constexpr std::uint32_t nobody = UINT32_MAX;
  static constexpr std::uint32_t several = UINT32_MAX - 1;

  explicit Owners(const Graph& graph) : graph_(graph), owner_(graph.node_count()) {
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) owner_[i] = can_be_owned(i) ? nobody : i;
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
      if (owner_[i] == i) spread_from(i);
    }
  }

  [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return owner_[node]; }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> owner_;
  std::vector<std::uint32_t> waiting_;  ///< each node at most twice

  [[nodiscard]] bool can_be_owned(std::uint32_t index) const {
    const Node node = graph_.node(index);
    const std::string_view kind = node.kind().name;
    if (kind == "native") return node.name() == "system / ExternalStringData";
    return kind == "hidden" || kind == "array";
  }

  void spread_from(std::uint32_t node) {
    waiting_.push_back(node);
    while (!waiting_.empty()) {
      const std::uint32_t next = waiting_.back();
      waiting_.pop_back();
      for (std::uint64_t edge = graph_.first_edge[next]; edge < graph_.first_edge[std::size_t{next} + 1];
           ++edge) {
        if (!kind_of(graph_, edge).is_weak) meet(target_of(graph_, edge), owner_[next]);
      }
    }
  }

  void meet(std::uint32_t node, std::uint32_t owner) {
    std::uint32_t& known = owner_[node];
    if (known == node || known == owner || known == several) return;
    known = known == nobody ? owner : several;
    waiting_.push_back(node);
  }
};

/// Whether a node can take over the sizes of the nodes that it owns.
bool takes_sizes(const Graph& graph, std::uint32_t owner) {
  return owner < Owners::several && owner != 0 && graph.node(owner).kind().name != "synthetic";
}

}  // namespace

std::optional<Ephemeron> parse_ephemeron(std::string_view name) {
  constexpr std::string_view begin = " / part of key (";
  constexpr std::string_view middle = ") pair in WeakMap (table @";
  const std::size_t number_end = std::min(name.find_first_not_of(digits), name.size());
  if (number_end == 0) return {};
  name.remove_prefix(number_end);
  const std::size_t table = name.rfind(middle);
  if (!name.starts_with(begin) || table == std::string_view::npos || table < begin.size()) return {};
  const std::string_view id = name.substr(table + middle.size());
  if (id.size() < 2 || id.find_first_not_of(digits) != id.size() - 1 || id.back() != ')') return {};
  if (!is_pair(name.substr(begin.size(), table - begin.size()))) return {};
  Ephemeron found{.entry = name, .table = 0};
  std::from_chars(id.data(), id.data() + id.size(), found.table);
  return found;
}

NodeSet find_ephemeron_names(const Graph& graph) {
  NodeSet found(graph.texts.count());
  for (std::size_t i = 0; i < graph.texts.count(); ++i) {
    const std::string_view text = graph.texts[i];
    const bool may_match = text.ends_with(')') && digits.contains(text.front());
    if (may_match && parse_ephemeron(text)) found.add(i);
  }
  return found;
}

bool is_user_root(const Graph& graph, std::uint32_t node) {
  return graph.node(node).kind().name != "synthetic" || is_document_root(graph.node(node));
}

bool is_program_root(const Graph& graph, std::uint32_t node) {
  return is_user_root(graph, node) && graph.node(node).kind().name != "inter-generational roots";
}

EdgeSet find_retaining_edges(const Graph& graph) {
  EdgeSet found(graph.edge_count());
  if (graph.node_count() == 0) return found;
  if (graph.rules == RetentionRules::devtools) {
    const DevToolsRules rules(graph);
    for_each_edge(graph, [&](std::uint32_t source, std::uint64_t edge) {
      if (rules.retains(source, edge)) found.add(edge);
    });
  } else {
    for_each_edge(graph, [&](std::uint32_t, std::uint64_t edge) {
      if (!kind_of(graph, edge).is_weak) found.add(edge);
    });
  }
  return found;
}

std::vector<std::uint64_t> find_counted_sizes(const Graph& graph) {
  std::vector<std::uint64_t> sizes = graph.node_size;
  // A snapshot without user roots is meant to show V8's internals, so nothing is moved.
  if (graph.node_count() == 0 || graph.rules != RetentionRules::devtools || !has_user_roots(graph))
    return sizes;
  const Owners owners(graph);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const std::uint32_t owner = owners.of(i);
    if (owner == i || !takes_sizes(graph, owner)) continue;
    sizes[owner] = core::saturating_add(sizes[owner], graph.node_size[i]);
    sizes[i] = 0;
  }
  return sizes;
}

}  // namespace heapcheck::graph
