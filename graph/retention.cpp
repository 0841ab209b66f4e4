#include "graph/retention.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/stop.hpp"
#include "graph/reach.hpp"

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

/// The facts about each kind of edge that decide whether it retains its target, by the number of the kind. In
/// contrast to GraphKind, they fit in a few cache lines.
class EdgeKinds {
 public:
  explicit EdgeKinds(const Graph& graph) {
    // A file may name more kinds, but an edge states its kind in one byte.
    for (std::size_t i = 0; i < std::min(graph.edge_kinds.size(), facts_.size()); ++i) {
      const GraphKind& kind = graph.edge_kinds[i];
      facts_[i] = {.is_weak = kind.is_weak,
                   .is_shortcut = kind.name == "shortcut",
                   .is_internal = kind.name == "internal"};
    }
  }

  [[nodiscard]] bool is_weak(std::uint8_t kind) const { return facts_[kind].is_weak; }
  [[nodiscard]] bool is_shortcut(std::uint8_t kind) const { return facts_[kind].is_shortcut; }
  [[nodiscard]] bool is_internal(std::uint8_t kind) const { return facts_[kind].is_internal; }

 private:
  struct Facts {
    bool is_weak = false;
    bool is_shortcut = false;
    bool is_internal = false;
  };
  std::array<Facts, UINT8_MAX + 1> facts_{};
};

/// The edges that are not weak.
class StrongEdges {
 public:
  StrongEdges(const Graph& graph, const EdgeKinds& kinds) : graph_(graph), kinds_(kinds) {}

  [[nodiscard]] std::uint64_t node_count() const { return graph_.node_count(); }
  template <class Use>
  void follow_next(std::uint64_t node, Use&& use) const {
    const auto end = static_cast<std::size_t>(graph_.first_edge[static_cast<std::size_t>(node) + 1]);
    for (auto edge = static_cast<std::size_t>(graph_.first_edge[static_cast<std::size_t>(node)]); edge < end;
         ++edge) {
      if (!kinds_.is_weak(graph_.edge_kind[edge])) use(graph_.edge_target[edge]);
    }
  }
  template <class Use>
  void follow_earlier(std::uint64_t node, Use&& use) const {
    follow_next(node, use);
  }

 private:
  const Graph& graph_;
  const EdgeKinds& kinds_;
};

bool is_document_root(const Node& node) {
  return node.kind().name == "synthetic" && node.name() == "(Document DOM trees)";
}

/// The nodes that are held by the global objects and documents of the page or program. All other nodes belong
/// to V8 itself.
NodeSet find_page_nodes(const Graph& graph, const EdgeKinds& kinds) {
  NodeSet first(graph.node_count());
  // The root's shortcuts lead to the global objects of pages. spec: analysis.md#what-retains
  for (const Edge edge : graph.node(0).edges()) {
    const std::string_view kind = edge.kind().name;
    const bool is_document = kind == "element" && is_document_root(graph.node(edge.target()));
    if (kind == "shortcut" || is_document) first.add(edge.target());
  }
  StrongEdges edges(graph, kinds);
  return find_reachable(edges, std::move(first));
}

/// Decides which edges of a V8 heap snapshot retain their targets.
class DevToolsRules {
 public:
  DevToolsRules(const Graph& graph, const EdgeKinds& kinds)
      : graph_(graph),
        kinds_(kinds),
        is_page_(find_page_nodes(graph, kinds)),
        is_ephemeron_(find_ephemeron_names(graph)) {}

  [[nodiscard]] bool retains(std::uint32_t source, std::size_t edge) const {
    const std::uint32_t target = graph_.edge_target[edge];
    const std::uint8_t kind = graph_.edge_kind[edge];
    if (kinds_.is_weak(kind) || source == target) return false;
    if (kinds_.is_internal(kind) && is_from_table(source, edge)) return false;
    if (source == 0) return true;
    return !kinds_.is_shortcut(kind) && (is_page_.has(source) || !is_page_.has(target));
  }

 private:
  const Graph& graph_;
  const EdgeKinds& kinds_;
  NodeSet is_page_;
  NodeSet is_ephemeron_;  ///< by text

  /// Whether the edge leads from the table of a WeakMap to a value. It is the key that retains the value.
  [[nodiscard]] bool is_from_table(std::uint32_t source, std::size_t edge) const {
    const std::uint32_t name = graph_.edge_name[edge];
    return is_ephemeron_.has(name) && parse_ephemeron(graph_.texts[name])->table == graph_.node_id[source];
  }
};

bool has_user_roots(const Graph& graph) {
  return std::ranges::any_of(graph.node(0).edges(),
                             [&](const Edge& edge) { return is_user_root(graph, edge.target()); });
}

/// For each node, the node that owns it. Nodes other than arrays and hidden nodes own themselves.
class Owners {
 public:
  static constexpr std::uint32_t nobody = UINT32_MAX;
  static constexpr std::uint32_t several = UINT32_MAX - 1;

  explicit Owners(const Graph& graph) : can_be_owned_(find_ownable(graph)), owner_(graph.node_count()) {
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) owner_[i] = can_be_owned_.has(i) ? nobody : i;
    const EdgeKinds kinds(graph);
    spread(StrongEdges(graph, kinds));
  }

  [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return owner_[node]; }

 private:
  NodeSet can_be_owned_;
  std::vector<std::uint32_t> owner_;

  static NodeSet find_ownable(const Graph& graph) {
    std::vector<bool> is_inner;
    std::vector<bool> is_native;
    for (const GraphKind& kind : graph.node_kinds) {
      is_inner.push_back(kind.name == "hidden" || kind.name == "array");
      is_native.push_back(kind.name == "native");
    }
    NodeSet found(graph.node_count());
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
      const std::uint8_t kind = graph.node_kind[i];
      const bool is_data = is_native[kind] && graph.node(i).name() == "system / ExternalStringData";
      if (is_inner[kind] || is_data) found.add(i);
    }
    return found;
  }

  /// Visits the nodes in order, because most owners come before what they own. Only nodes that turn out later
  /// to have other owners are visited again, each at most twice.
  void spread(const StrongEdges& edges) {
    std::vector<std::uint32_t> late;
    for (std::uint32_t here = 0; here < owner_.size(); ++here) {
      if (owner_[here] == nobody) continue;
      const auto visit = [&](std::uint32_t node) {
        edges.follow_next(node, [&, owner = owner_[node]](std::uint32_t next) {
          if (can_be_owned_.has(next) && meet(next, owner) && next <= here) late.push_back(next);
        });
      };
      visit(here);
      while (!late.empty()) {
        const std::uint32_t node = late.back();
        late.pop_back();
        visit(node);
      }
    }
  }

  /// Returns whether the owner of the node changes.
  bool meet(std::uint32_t node, std::uint32_t owner) {
    std::uint32_t& known = owner_[node];
    if (known == owner || known == several) return false;
    known = known == nobody ? owner : several;
    return true;
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
  core::check_stop();
  EdgeSet found(graph.edge_count());
  if (graph.node_count() == 0) return found;
  const EdgeKinds kinds(graph);
  if (graph.rules != RetentionRules::devtools) {
    for (std::size_t edge = 0; edge < graph.edge_count(); ++edge) {
      if (!kinds.is_weak(graph.edge_kind[edge])) found.add(edge);
    }
    return found;
  }
  const DevToolsRules rules(graph, kinds);
  for (std::uint32_t node = 0; node < graph.node_count(); ++node) {
    const auto end = static_cast<std::size_t>(graph.first_edge[std::size_t{node} + 1]);
    for (auto edge = static_cast<std::size_t>(graph.first_edge[node]); edge < end; ++edge) {
      if (rules.retains(node, edge)) found.add(edge);
    }
  }
  return found;
}

GraphColumn find_counted_sizes(const Graph& graph) {
  core::check_stop();
  GraphColumn sizes = graph.node_size;
  // A snapshot without user roots is meant to show V8's internals, so nothing is moved.
  if (graph.node_count() == 0 || graph.rules != RetentionRules::devtools || !has_user_roots(graph))
    return sizes;
  const Owners owners(graph);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    const std::uint32_t owner = owners.of(i);
    if (owner == i || !takes_sizes(graph, owner)) continue;
    sizes.set(owner, core::saturating_add(sizes[owner], graph.node_size[i]));
    sizes.set(i, 0);
  }
  return sizes;
}

}  // namespace heapcheck::graph
