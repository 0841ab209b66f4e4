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

class MvmheapBuilder {
 public:
  MvmheapBuilder(const mvmheap::Snapshot& snapshot, const Tables& tables, Graph& graph)
      : collectables_(snapshot.collectables),
        references_(snapshot.references),
        tables_(tables),
        taken_(snapshot.references.count()),
        graph_(graph),
        places_(graph) {}

  Result<void> run() {
    add_kinds();
    add_texts();
    make_room();
    for (std::uint64_t i = 0; i < collectables_.count(); ++i) {
      if (!add_node(i))
        return refuse(fmt::format("collectable {} has an unknown kind or an invalid index", i));
      if (!add_edges(i)) return refuse(fmt::format("collectable {} has invalid references", i));
    }
    graph_.first_edge.back() = next_edge_;
    if (next_edge_ == references_.count()) {
      add_code_places(graph_);
      return {};
    }
    return refuse(fmt::format("the snapshot has {}, but its collectables have {} in total",
                              core::counted(references_.count(), "reference"), next_edge_));
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

  /// No reference is taken twice, so there are at most as many edges as references. Filling columns of that
  /// size takes half as long as appending to them.
  void make_room() {
    const auto nodes = static_cast<std::size_t>(collectables_.count());
    graph_.node_kind.resize(nodes);
    graph_.node_name.resize(nodes);
    graph_.node_size.resize(nodes);
    graph_.node_id.resize(nodes);
    graph_.node_representation.resize(nodes, Graph::no_text);
    graph_.first_edge.resize(nodes + 1);
    const auto edges = static_cast<std::size_t>(references_.count());
    graph_.edge_kind.resize(edges);
    graph_.edge_name.resize(edges);
    graph_.edge_target.resize(edges);
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
    graph_.node_size[node] = core::saturating_add(collectables_.size[i], collectables_.unmanaged_size[i]);
    graph_.node_id[node] = i;
    graph_.first_edge[node] = next_edge_;
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

  bool add_edges(std::uint64_t i) {
    const std::uint64_t count = collectables_.num_refs[i];
    if (count == 0) return true;
    const std::uint64_t start = collectables_.refs_start[i];
    if (!core::is_inside(start, count, references_.count())) return false;
    for (std::uint64_t reference = start; reference < start + count; ++reference) {
      if (!taken_.add(reference) || !add_edge(reference)) return false;
    }
    return true;
  }

  bool add_edge(std::uint64_t reference) {
    const std::uint64_t kind = references_.description[reference] & kind_mask;
    const auto name =
        find_name(static_cast<ReferenceKind>(kind), references_.description[reference] >> kind_bits);
    const std::uint64_t to = references_.target[reference];
    if (!name || to >= collectables_.count()) return false;
    graph_.edge_kind[next_edge_] = static_cast<std::uint8_t>(kind);
    graph_.edge_name[next_edge_] = *name;
    graph_.edge_target[next_edge_] = static_cast<std::uint32_t>(to);
    ++next_edge_;
    return true;
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
  const Tables& tables_;
  NodeSet taken_;  // the references that belong to a collectable
  Graph& graph_;
  PlaceTable places_;
  std::uint32_t no_name_ = 0;
  std::size_t next_edge_ = 0;
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

Extent measure(const mvmheap::Snapshot& snapshot, const Tables& tables) {
  Extent extent{.nodes = snapshot.collectables.count(),
                .edges = snapshot.references.count(),
                .texts = tables.strings.count() + std::size(kind_names) + 1,
                .text_bytes = tables.strings.text_before(StringIndex{tables.strings.count()})};
  for (const std::string_view name : kind_names) extent.text_bytes += name.size();
  measure_places(snapshot, tables, extent);
  return extent;
}

}  // namespace

Result<Graph> make_graph(const mvmheap::Snapshot& snapshot, const Tables& tables, const Limits& limits) {
  if (!snapshot.references.has_targets) {
    return std::unexpected(
        Error{ErrorKind::unsupported,
              "the file does not contain the targets of references, because a 32-bit MoarVM wrote it"});
  }
  if (!snapshot.has_equal_columns()) return refuse("the columns of the snapshot differ in length");
  auto graph = make_empty(measure(snapshot, tables), limits);
  if (!graph) return graph;
  if (auto built = MvmheapBuilder(snapshot, tables, *graph).run(); !built)
    return std::unexpected(built.error());
  return graph;
}

}  // namespace heapcheck::graph
