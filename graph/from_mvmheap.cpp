#include "graph/make_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/summary.hpp"
#include "graph/code_places.hpp"
#include "graph/make_empty.hpp"
#include "graph/node_set.hpp"
#include "graph/place_table.hpp"

namespace heapcheck::graph {
namespace {

using mvmheap::Collectables;
using mvmheap::ReferenceKind;
using mvmheap::StringIndex;
using mvmheap::Tables;

/// The names of kinds, indexed by CollectableKind, starting with 1. spec: mvmheap/v3.md#collectables
constexpr std::string_view kind_names[] = {
    "object",          "type object",   "STable",       "frame", "permanent roots",
    "instance roots",  "C stack roots", "thread roots", "root",  "inter-generational roots",
    "call stack roots"};
static_assert(std::size(kind_names) == mvmheap::last_collectable_kind);
/// The groups of the first kinds; all others are roots.
constexpr NodeGroup groups[] = {NodeGroup::object, NodeGroup::type_object, NodeGroup::stable,
                                NodeGroup::frame};

constexpr unsigned kind_bits = 2;
constexpr std::uint64_t kind_mask = (std::uint64_t{1} << kind_bits) - 1;

/// The size of a collectable, including unmanaged bytes.
std::uint64_t size_of(const Collectables& collectables, std::uint64_t i) {
  return core::saturating_add(collectables.size[i], collectables.unmanaged_size[i]);
}

/// Copies one table of the dump after another, so that each can be freed before the next part of the graph
/// takes up memory.
class MvmheapBuilder {
 public:
  /// `given_up` is the snapshot if it is not needed again, or null.
  MvmheapBuilder(const mvmheap::Snapshot& snapshot, mvmheap::Snapshot* given_up, const Tables& tables,
                 Graph& graph)
      : collectables_(snapshot.collectables),
        references_(snapshot.references),
        given_up_(given_up),
        tables_(tables),
        graph_(graph),
        places_(graph) {}

  Result<void> run() {
    add_kinds();
    add_texts();
    if (auto added = add_nodes(); !added) return added;
    if (given_up_ != nullptr) {
      Collectables ranges;
      ranges.refs_start = std::move(given_up_->collectables.refs_start);
      ranges.num_refs = std::move(given_up_->collectables.num_refs);
      given_up_->collectables = std::move(ranges);
    }
    if (auto added = add_edge_names(); !added) return added;
    if (given_up_ != nullptr) given_up_->references.description = {};
    if (auto added = add_targets(); !added) return added;
    if (given_up_ != nullptr) *given_up_ = {};
    add_code_places(graph_);
    return {};
  }

 private:
  void add_kinds() {
    for (std::size_t i = 0; i < std::size(kind_names); ++i) {
      const NodeGroup group = i < std::size(groups) ? groups[i] : NodeGroup::root;
      graph_.node_kinds.push_back({.name = std::string(kind_names[i]),
                                   .group = group,
                                   .place_is_of_type = group == NodeGroup::frame});
    }
    graph_.edge_kinds = {{.name = "unknown"}, {.name = "index", .has_index = true}, {.name = "name"}};
  }

  /// Adds the strings of the dump, which keep their indices, and then the names of kinds and the empty name.
  void add_texts() {
    for (std::uint64_t i = 0; i < tables_.strings.count(); ++i)
      graph_.texts.add(tables_.strings[StringIndex{i}]);
    for (const std::string_view name : kind_names) graph_.texts.add(name);
    no_name_ = graph_.texts.add({});
  }

  /// No reference belongs to two collectables, so there are at most as many edges as references. Filling
  /// columns of a known size takes half as long as appending to them.
  Result<void> add_nodes() {
    const auto nodes = static_cast<std::size_t>(collectables_.count());
    graph_.node_kind.resize(nodes);
    graph_.node_name.resize(nodes);
    graph_.node_size.resize(nodes);
    graph_.node_id.resize(nodes);
    graph_.node_representation.resize(nodes, Graph::no_text);
    graph_.first_edge.resize(nodes + 1);
    NodeSet taken(references_.count());
    std::uint64_t edges = 0;
    for (std::uint64_t i = 0; i < nodes; ++i) {
      if (!add_node(i))
        return refuse(fmt::format("collectable {} has an unknown kind or an invalid index", i));
      graph_.first_edge.set(static_cast<std::size_t>(i), edges);
      if (!take_references(i, taken)) return refuse_references(i);
      edges += collectables_.num_refs[i];
    }
    graph_.first_edge.set(nodes, edges);
    if (edges == references_.count()) return {};
    return refuse(fmt::format("the snapshot has {}, but its collectables have {} in total",
                              core::counted(references_.count(), "reference"), edges));
  }

  static std::unexpected<Error> refuse_references(std::uint64_t collectable) {
    return refuse(fmt::format("collectable {} has invalid references", collectable));
  }

  /// Returns whether the references of the collectable exist and belong to no other one.
  [[nodiscard]] bool take_references(std::uint64_t i, NodeSet& taken) const {
    const std::uint64_t count = collectables_.num_refs[i];
    if (count == 0) return true;
    const std::uint64_t start = collectables_.refs_start[i];
    if (!core::is_inside(start, count, references_.count())) return false;
    for (std::uint64_t reference = start; reference < start + count; ++reference) {
      if (!taken.add(reference)) return false;
    }
    return true;
  }

  /// Calls `add(reference, edge)` for each reference, in the order of the edges, until it returns false.
  template <class Add>
  Result<void> add_each_edge(Add add) const {
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      auto edge = static_cast<std::size_t>(graph_.first_edge[node]);
      const auto end = static_cast<std::size_t>(graph_.first_edge[std::size_t{node} + 1]);
      for (std::uint64_t reference = collectables_.refs_start[node]; edge < end; ++reference, ++edge) {
        if (!add(reference, edge)) return refuse_references(node);
      }
    }
    return {};
  }

  Result<void> add_edge_names() {
    const auto edges = static_cast<std::size_t>(references_.count());
    graph_.edge_kind.resize(edges);
    graph_.edge_name.resize(edges);
    return add_each_edge([this](std::uint64_t reference, std::size_t edge) {
      const std::uint64_t description = references_.description[reference];
      const std::uint64_t kind = description & kind_mask;
      const auto name = find_name(static_cast<ReferenceKind>(kind), description >> kind_bits);
      if (!name) return false;
      graph_.edge_kind[edge] = static_cast<std::uint8_t>(kind);
      graph_.edge_name[edge] = *name;
      return true;
    });
  }

  Result<void> add_targets() {
    graph_.edge_target.resize(static_cast<std::size_t>(references_.count()));
    return add_each_edge([this](std::uint64_t reference, std::size_t edge) {
      const std::uint64_t to = references_.target[reference];
      if (to >= graph_.node_count()) return false;
      graph_.edge_target[edge] = static_cast<std::uint32_t>(to);
      return true;
    });
  }

  /// The name of a row of a table, as a string index.
  [[nodiscard]] std::optional<std::uint32_t> find_name(const mvmheap::Column<std::uint32_t>& names,
                                                       std::uint64_t row) const {
    if (row >= names.count() || names[row] >= tables_.strings.count()) return std::nullopt;
    return static_cast<std::uint32_t>(names[row]);
  }

  [[nodiscard]] std::optional<std::uint32_t> find_name(std::uint64_t kind, std::uint64_t row) const {
    if (mvmheap::is_typed_kind(kind)) return find_name(tables_.types.type_name, row);
    if (!mvmheap::is_root_kind(kind)) return find_name(tables_.static_frames.name, row);
    return static_cast<std::uint32_t>(tables_.strings.count() + kind - 1);
  }

  bool add_node(std::uint64_t i) {
    const std::uint64_t kind = collectables_.kind[i];
    if (kind == 0 || kind > mvmheap::last_collectable_kind) return false;
    const std::uint64_t row = collectables_.type_or_frame_index[i];
    const auto name = find_name(kind, row);
    if (!name) return false;
    const auto node = static_cast<std::size_t>(i);
    if (mvmheap::is_typed_kind(kind))
      graph_.node_representation[node] = find_name(tables_.types.repr_name, row).value_or(Graph::no_text);
    graph_.node_kind[node] = static_cast<std::uint8_t>(kind - 1);
    graph_.node_name[node] = *name;
    graph_.node_size.set(node, size_of(collectables_, i));
    graph_.node_id.set(node, i);
    if (!mvmheap::is_typed_kind(kind) && !mvmheap::is_root_kind(kind)) add_place(i, row);
    return true;
  }

  /// Adds the place of a frame, if its file has a name. MoarVM writes `<null>` if it has none. A line number
  /// that is too large for any file counts as unknown.
  void add_place(std::uint64_t node, std::uint64_t row) {
    const auto file = find_name(tables_.static_frames.file, row);
    if (!file || graph_.texts[*file].empty() || graph_.texts[*file] == "<null>" ||
        row >= tables_.static_frames.line.count())
      return;
    const std::uint64_t line = tables_.static_frames.line[row];
    places_.add(static_cast<std::uint32_t>(node),
                {.file = *file, .line = line <= UINT32_MAX ? static_cast<std::uint32_t>(line) : 0});
  }

  /// The graph's name for the index in a description; empty if the index is invalid.
  [[nodiscard]] std::optional<std::uint32_t> find_name(ReferenceKind kind, std::uint64_t index) const {
    switch (kind) {
      case ReferenceKind::unknown:
        return no_name_;
      case ReferenceKind::integer:
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(index, UINT32_MAX));
      case ReferenceKind::string:
        if (index >= tables_.strings.count()) return std::nullopt;
        return static_cast<std::uint32_t>(index);
    }
    return std::nullopt;
  }

  const Collectables& collectables_;
  const mvmheap::References& references_;
  mvmheap::Snapshot* given_up_;
  const Tables& tables_;
  Graph& graph_;
  PlaceTable places_;
  std::uint32_t no_name_ = 0;
};

/// Counts the frames and the objects of code types, which are the nodes that can have a place.
void measure_places(const mvmheap::Snapshot& snapshot, const Tables& tables, Extent& extent) {
  const auto& names = tables.types.type_name;
  std::vector<bool> is_code(static_cast<std::size_t>(names.count()));
  for (std::uint64_t row = 0; row < names.count(); ++row) {
    if (names[row] < tables.strings.count())
      is_code[static_cast<std::size_t>(row)] = is_code_type(tables.strings[StringIndex{names[row]}]);
  }
  std::uint64_t frames = 0;
  const Collectables& collectables = snapshot.collectables;
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    const std::uint64_t kind = collectables.kind[i];
    const std::uint64_t row = collectables.type_or_frame_index[i];
    if (kind == static_cast<std::uint64_t>(mvmheap::CollectableKind::frame))
      ++frames;
    else if (kind == static_cast<std::uint64_t>(mvmheap::CollectableKind::object) && row < is_code.size() &&
             is_code[static_cast<std::size_t>(row)])
      ++extent.places;
  }
  extent.places += frames;
  // Code objects can only have the places of frames.
  extent.distinct_places = std::min(frames, tables.static_frames.count());
}

bool has_wide_size(const Collectables& collectables) {
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    if (is_wide(size_of(collectables, i))) return true;
  }
  return false;
}

Extent measure(const mvmheap::Snapshot& snapshot, const Tables& tables) {
  Extent extent{.nodes = snapshot.collectables.count(),
                .edges = snapshot.references.count(),
                .texts = tables.strings.count() + std::size(kind_names) + 1,
                .text_bytes = tables.strings.text_before(StringIndex{tables.strings.count()})};
  for (const std::string_view name : kind_names) extent.text_bytes += name.size();
  extent.wide_columns = (has_wide_size(snapshot.collectables) ? 1U : 0U) + (is_wide(extent.edges) ? 1U : 0U);
  measure_places(snapshot, tables, extent);
  return extent;
}

Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, mvmheap::Snapshot* given_up, const Tables& tables,
                         const Limits& limits) {
  if (!snapshot.references.has_targets) {
    return std::unexpected(
        Error{ErrorKind::unsupported,
              "the file does not contain the targets of references, because a 32-bit MoarVM wrote it"});
  }
  if (!snapshot.has_equal_columns()) return refuse("the columns of the snapshot differ in length");
  auto graph = make_empty(measure(snapshot, tables), limits);
  if (!graph) return graph;
  if (auto built = MvmheapBuilder(snapshot, given_up, tables, *graph).run(); !built)
    return std::unexpected(built.error());
  return graph;
}

}  // namespace

Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, const Tables& tables, const Limits& limits) {
  return make_graph(snapshot, nullptr, tables, limits);
}

Result<Graph> make_graph(mvmheap::Snapshot&& snapshot, const Tables& tables, const Limits& limits) {
  return make_graph(snapshot, &snapshot, tables, limits);
}

}  // namespace heapcheck::graph
