#include "graph/make_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/freed_memory.hpp"
#include "formats/core/stop.hpp"
#include "formats/v8/heapsnapshot/string_table.hpp"
#include "graph/dom_states.hpp"
#include "graph/make_empty.hpp"
#include "graph/script_places.hpp"
#include "graph/trace_stacks.hpp"

namespace heapcheck::graph {
namespace {

using v8::heapsnapshot::ChunkedColumn;
using v8::heapsnapshot::for_each_value;
using v8::heapsnapshot::Section;
using v8::heapsnapshot::Snapshot;
using v8::heapsnapshot::StringTable;

/// The columns that a graph needs, none of which is null.
struct Columns {
  const ChunkedColumn* node_type = nullptr;
  const ChunkedColumn* node_name = nullptr;
  const ChunkedColumn* self_size = nullptr;
  const ChunkedColumn* edge_count = nullptr;
  const ChunkedColumn* edge_type = nullptr;
  const ChunkedColumn* edge_name = nullptr;
  const ChunkedColumn* to_node = nullptr;
};

/// Frees the parts of a snapshot that its graph has copied, unless the snapshot is needed again.
class Leftovers {
 public:
  /// `taken` is null if the snapshot is needed again.
  explicit Leftovers(Snapshot* taken) : taken_(taken) {}

  void free_strings() const {
    if (taken_ == nullptr) return;
    taken_->strings.table = {};
    core::return_freed_memory();
  }
  void free_column(const ChunkedColumn* column) const {
    if (taken_ == nullptr) return;
    for (v8::heapsnapshot::Table& table : taken_->tables) {
      for (ChunkedColumn& own : table.columns) {
        if (&own == column) own = {};
      }
    }
    core::return_freed_memory();
  }

 private:
  Snapshot* taken_;
};

struct NeededColumn {
  Section section;
  std::string_view name;
  const ChunkedColumn* Columns::* column;
};
constexpr NeededColumn needed_columns[] = {
    {Section::nodes, "type", &Columns::node_type},
    {Section::nodes, "name", &Columns::node_name},
    {Section::nodes, "self_size", &Columns::self_size},
    {Section::nodes, "edge_count", &Columns::edge_count},
    {Section::edges, "type", &Columns::edge_type},
    {Section::edges, "name_or_index", &Columns::edge_name},
    {Section::edges, "to_node", &Columns::to_node},
};

Result<Columns> find_columns(const Snapshot& snapshot) {
  Columns columns;
  for (const NeededColumn& needed : needed_columns) {
    if (!snapshot.is_sound(needed.section))
      return refuse(fmt::format("the {} could not be read completely", name_of(needed.section)));
    columns.*needed.column = snapshot.find_column(needed.section, needed.name);
    if (columns.*needed.column == nullptr)
      return refuse(fmt::format("the {} have no column {}", name_of(needed.section), needed.name));
  }
  return columns;
}

/// The group to which nodes of this type belong. Functions, code and V8's own objects count as objects.
NodeGroup group_of(std::string_view type) {
  if (type == "synthetic") return NodeGroup::root;
  const bool is_string = type == "string" || type == "concatenated string" || type == "sliced string";
  return is_string ? NodeGroup::string : NodeGroup::object;
}

/// The name under which DevTools groups all nodes of this type; empty if it groups them by their names.
/// spec: v8/heapsnapshot.md
std::string shared_type_name(std::string_view type) {
  if (type == "object" || type == "native") return {};
  if (type == "hidden") return "(system)";
  if (type == "code") return "(compiled code)";
  return fmt::format("({})", type);
}

/// The types of nodes or edges, by number.
Result<std::vector<GraphKind>> make_kinds(const Snapshot& snapshot, Section section,
                                          const ChunkedColumn& types) {
  const std::vector<std::string>* const names = snapshot.schema.find_type_names(section, "type");
  if (names == nullptr) return refuse(fmt::format("the types of {} have no names", name_of(section)));
  if (types.count() != 0 && types.largest() >= names->size())
    return refuse(fmt::format("one of the {} has a type of {}, expected less than {}", name_of(section),
                              types.largest(), names->size()));
  // A graph stores the kind of each item in one byte, because it may have billions of items.
  if (types.largest() > UINT8_MAX)
    return std::unexpected(Error{
        ErrorKind::limit, fmt::format("the {} have more than {} types", name_of(section), UINT8_MAX + 1)});
  std::vector<GraphKind> kinds;
  for (const std::string& name : *names) {
    kinds.push_back({.name = name,
                     .group = section == Section::nodes ? group_of(name) : NodeGroup::other,
                     .type_name = section == Section::nodes ? shared_type_name(name) : std::string(),
                     .has_contents = name != "concatenated string" && name != "sliced string",
                     .place_is_of_type = section == Section::nodes && (name == "object" || name == "closure"),
                     .is_weak = section == Section::edges && name == "weak",
                     .has_index = section == Section::edges && (name == "element" || name == "hidden")});
  }
  return kinds;
}

template <class Values>
void append(const ChunkedColumn& column, const Leftovers& leftovers, Values& out) {
  out.reserve(static_cast<std::size_t>(column.count()));
  for_each_value(column, [&](std::uint64_t, std::uint64_t value) {
    out.push_back(static_cast<typename Values::value_type>(value));
  });
  leftovers.free_column(&column);
}

Result<void> add_nodes(const Snapshot& snapshot, const Columns& columns, const Leftovers& leftovers,
                       Graph& graph) {
  auto kinds = make_kinds(snapshot, Section::nodes, *columns.node_type);
  if (!kinds) return std::unexpected(kinds.error());
  graph.node_kinds = std::move(*kinds);
  if (columns.node_name->largest() >= graph.texts.count())
    return refuse(fmt::format("the name of a node is string {}, expected less than {}",
                              columns.node_name->largest(), graph.texts.count()));
  append(*columns.node_type, leftovers, graph.node_kind);
  append(*columns.node_name, leftovers, graph.node_name);
  append(*columns.self_size, leftovers, graph.node_size);
  const ChunkedColumn* const ids = snapshot.find_column(Section::nodes, "id");
  if (ids != nullptr) {
    append(*ids, leftovers, graph.node_id);
  } else {
    for (std::uint64_t i = 0; i < graph.node_count(); ++i) graph.node_id.push_back(i);
  }
  return {};
}

/// Adds the first edge of each node. No node has more edges than there are in total, so nothing overflows.
Result<void> add_ranges(const Columns& columns, Graph& graph) {
  const std::uint64_t edges = columns.to_node->count();
  std::uint64_t first = 0;
  bool fits = true;
  graph.first_edge.reserve(static_cast<std::size_t>(columns.edge_count->count()) + 1);
  for_each_value(*columns.edge_count, [&](std::uint64_t, std::uint64_t count) {
    graph.first_edge.push_back(first);
    fits = fits && count <= edges - first;
    if (fits) first += count;
  });
  graph.first_edge.push_back(first);
  if (fits && first == edges) return {};
  return refuse(fmt::format("the edge counts of the nodes do not add up to {}, the number of edges", edges));
}

/// Adds the targets, which are positions in the array of nodes. Each row of that array has `width` values.
Result<void> add_targets(const ChunkedColumn& targets, std::uint64_t nodes, std::uint64_t width,
                         Graph& graph) {
  bool holds = true;
  graph.edge_target.reserve(static_cast<std::size_t>(targets.count()));
  for_each_value(targets, [&](std::uint64_t, std::uint64_t place) {
    holds = holds && place % width == 0 && place / width < nodes;
    graph.edge_target.push_back(static_cast<std::uint32_t>(place / width));
  });
  return holds ? Result<void>() : refuse("an edge does not lead to a node");
}

Result<void> add_edge_names(const Columns& columns, const Leftovers& leftovers, Graph& graph) {
  append(*columns.edge_type, leftovers, graph.edge_kind);
  std::uint64_t largest_index = 0;
  std::uint64_t largest_name = 0;
  graph.edge_name.reserve(static_cast<std::size_t>(columns.edge_name->count()));
  for_each_value(*columns.edge_name, [&](std::uint64_t edge, std::uint64_t name) {
    const GraphKind& kind = graph.edge_kinds[graph.edge_kind[static_cast<std::size_t>(edge)]];
    std::uint64_t& largest = kind.has_index ? largest_index : largest_name;
    largest = std::max(largest, name);
    graph.edge_name.push_back(static_cast<std::uint32_t>(name));
  });
  leftovers.free_column(columns.edge_name);
  if (largest_name >= graph.texts.count())
    return refuse(fmt::format("the name of an edge is string {}, expected less than {}", largest_name,
                              graph.texts.count()));
  if (largest_index <= UINT32_MAX) return {};
  return std::unexpected(
      Error{ErrorKind::limit,
            fmt::format("an edge has an index of {}, expected at most {}", largest_index, UINT32_MAX)});
}

Result<void> add_edges(const Snapshot& snapshot, const Columns& columns, const Leftovers& leftovers,
                       Graph& graph) {
  auto kinds = make_kinds(snapshot, Section::edges, *columns.edge_type);
  if (!kinds) return std::unexpected(kinds.error());
  graph.edge_kinds = std::move(*kinds);
  const v8::heapsnapshot::Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t node_count = nodes.row_count();  // before a column of nodes is freed
  if (auto added = add_ranges(columns, graph); !added) return added;
  leftovers.free_column(columns.edge_count);
  if (auto added = add_targets(*columns.to_node, node_count, nodes.columns.size(), graph); !added)
    return added;
  leftovers.free_column(columns.to_node);
  return add_edge_names(columns, leftovers, graph);
}

Extent measure(const Snapshot& snapshot) {
  const StringTable& strings = snapshot.strings.table;
  Extent extent{.nodes = snapshot.table(Section::nodes).row_count(),
                .edges = snapshot.table(Section::edges).row_count(),
                .texts = strings.count(),
                .text_bytes = 0,
                .stack_bytes = measure_trace_stacks(snapshot)};
  for (const char* const field : {"self_size", "id"}) {
    const ChunkedColumn* const column = snapshot.find_column(Section::nodes, field);
    if (column != nullptr && is_wide(column->largest())) ++extent.wide_columns;
  }
  if (is_wide(extent.edges)) ++extent.wide_columns;
  measure_script_places(snapshot, extent);
  // No string is longer than its JSON spelling.
  for (std::uint64_t i = 0; i < strings.count(); ++i) extent.text_bytes += strings[i].size();
  return extent;
}

/// Adds the states of nodes that are known from their names.
Result<void> add_named_states(Extent extent, const Limits& limits, Graph& graph) {
  if (!has_named_states(graph)) return {};
  extent.states = extent.nodes;
  if (auto checked = check_extent(extent, limits); !checked) return checked;
  graph.node_dom_state = find_named_states(graph);
  return {};
}

/// Adds the states of nodes, and renames the detached ones. `extent` is the size of the graph without them.
Result<void> add_dom_states(const Snapshot& snapshot, Extent extent, const Limits& limits, Graph& graph) {
  const ChunkedColumn* const column = snapshot.find_column(Section::nodes, "detachedness");
  if (column == nullptr) return add_named_states(extent, limits, graph);
  if (column->largest() == 0) return {};
  extent.states = extent.nodes;
  std::vector<DomState> stated;
  stated.reserve(graph.node_count());
  for_each_value(*column, [&](std::uint64_t, std::uint64_t value) {
    stated.push_back(value == 1 ? DomState::attached : value == 2 ? DomState::detached : DomState::unknown);
  });
  if (std::ranges::all_of(stated, [](DomState state) { return state == DomState::unknown; })) return {};
  graph.node_dom_state = spread_dom_states(graph, std::move(stated));
  const NodeSet names = find_detached_names(graph);
  for (std::uint32_t text = 0; text < names.size(); ++text) {
    if (!names.has(text)) continue;
    ++extent.texts;
    extent.text_bytes += detached_prefix.size() + graph.texts[text].size();
  }
  if (auto checked = check_extent(extent, limits); !checked) return checked;
  graph.texts.reserve(static_cast<std::size_t>(extent.texts), static_cast<std::size_t>(extent.text_bytes));
  rename_detached(names, graph);
  return {};
}

Result<Graph> build(const Snapshot& snapshot, const Leftovers& leftovers, const Limits& limits) {
  if (!snapshot.strings.is_sound()) return refuse("the strings could not be read completely");
  const auto columns = find_columns(snapshot);
  if (!columns) return std::unexpected(columns.error());
  const Extent extent = measure(snapshot);
  auto graph = make_empty(extent, limits);
  if (!graph) return graph;
  graph->rules = RetentionRules::devtools;
  const StringTable& strings = snapshot.strings.table;
  for (std::uint64_t i = 0; i < strings.count(); ++i)
    graph->texts.add(v8::heapsnapshot::decode_spelling(strings[i]));
  core::check_stop();
  leftovers.free_strings();
  // The edges take up most of the memory, so they are added while the graph has no columns of nodes yet.
  if (auto added = add_edges(snapshot, *columns, leftovers, *graph); !added)
    return std::unexpected(added.error());
  core::check_stop();
  if (auto added = add_nodes(snapshot, *columns, leftovers, *graph); !added)
    return std::unexpected(added.error());
  core::check_stop();
  if (auto added = add_dom_states(snapshot, extent, limits, *graph); !added)
    return std::unexpected(added.error());
  core::check_stop();
  add_script_places(snapshot, *graph);
  add_trace_stacks(snapshot, *graph);
  return graph;
}

}  // namespace

Result<Graph> make_graph(const Snapshot& snapshot, const Limits& limits) {
  return build(snapshot, Leftovers(nullptr), limits);
}

Result<Graph> make_graph(Snapshot&& snapshot, const Limits& limits) {
  Snapshot taken = std::move(snapshot);
  return build(taken, Leftovers(&taken), limits);
}

}  // namespace heapcheck::graph
