#include "analyze/answers/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "analyze/answers/write.hpp"
#include "analyze/printed_name.hpp"
#include "analyze/stacks.hpp"
#include "analyze/totals.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

constexpr std::size_t most_bytes = 100;

/// The edge of a step, such as `    --[ entries (property) ]-->`. In V8's files, the kind of the edge shows
/// whether it is a variable, a property or V8's own reference; other formats have only one kind.
std::string show_edge(const Graph& graph, const PathStep& step, std::size_t count) {
  const Edge edge(graph, *step.edge);
  const std::string label = label_of(edge);
  const std::string shown = label.empty() ? "Unknown" : core::make_excerpt(label, most_bytes);
  const bool has_kinds = graph.rules == RetentionRules::devtools;
  const std::string kind = has_kinds ? fmt::format(" ({})", edge.kind().name) : std::string();
  const std::string times = count == 1 ? std::string() : fmt::format(" x {}", show_count(count));
  return fmt::format("    --[ {}{} ]-->{}\n", shown, kind, times);
}

std::string show_step_node(const Graph& graph, std::uint32_t index, std::span<const std::uint64_t> retained) {
  const Node node = graph.node(index);
  const bool says_kind = node.kind().group != NodeGroup::root;
  const std::string size =
      retained.empty() ? std::string() : fmt::format(", retains {}", show_bytes(retained[index]));
  return show_name(node) + show_place_after(place_of(graph, node.place())) +
         (says_kind ? fmt::format(" ({}) @{}", node.kind().name, node.id()) : std::string()) + size + "\n";
}

/// Whether a step has the same edge and type of node as the step before it.
bool repeats(const Graph& graph, const PathStep& step, const PathStep& before) {
  if (!step.edge || !before.edge) return false;
  return graph.node(step.node).type_name() == graph.node(before.node).type_name() &&
         label_of(Edge(graph, *step.edge)) == label_of(Edge(graph, *before.edge));
}

}  // namespace

std::string show_process(const DumpProcess& process) {
  return core::make_excerpt(process.name, most_process_bytes);
}

void append_process(const DumpProcess& process, std::vector<Cell>& row) {
  row.emplace_back(process.name);
  row.push_back(process.type.empty() ? Cell() : Cell(process.type));
  // The only negative numbers in answers are process ids, which a double represents exactly.
  const bool is_negative = process.pid.value_or(0) < 0;
  if (!process.pid) row.emplace_back();
  if (process.pid && is_negative) row.emplace_back(static_cast<double>(*process.pid));
  if (process.pid && !is_negative) row.emplace_back(static_cast<std::uint64_t>(*process.pid));
  row.emplace_back(process.dump);
}

void add_process(const Asked& asked, Answer& answer) {
  if (family_of(asked.format) != Family::trace) return;
  std::vector<Cell> values;
  append_process(asked.process, values);
  for (std::size_t i = 0; i < process_columns.size(); ++i)
    answer.facts.emplace_back(process_columns[i].key, asked.lack.empty() ? std::move(values[i]) : Cell());
  if (asked.lack.empty())
    answer.text_before = fmt::format("{}, snapshot {} (dump {}):\n\n", show_process(asked.process),
                                     asked.snapshot, core::make_excerpt(asked.process.dump));
}

void add_left_out(const RowCount& all, std::size_t shown, Answer& answer) {
  answer.left_out = all.rows - std::min<std::uint64_t>(all.rows, shown);
  if (!all.is_complete)
    answer.remarks.push_back({Remark::Kind::note, "left out more rows than stated: not all were counted"});
}

std::optional<TopBy> parse_top_by(std::string_view word) {
  if (word == "size") return TopBy::size;
  if (word == "count") return TopBy::count;
  return word == "retained" || word == "cumulative" ? std::optional(TopBy::retained) : std::nullopt;
}

Result<void> check_comparable(const FirstDump& first, Format later) {
  if (family_of(later) == family_of(first.format)) return {};
  return refuse(fmt::format("found a {}, expected a {}, like {}", title_of(later), title_of(first.format),
                            core::show_path(first.file)));
}

std::vector<Column> node_columns_of(const Graph& graph) {
  std::vector<Column> columns = {{"id", "Id", Unit::number},
                                 {"kind", "Kind"},
                                 {"name", "Name"},
                                 {"size", "Size", Unit::bytes},
                                 {"retained", "Retained", Unit::bytes},
                                 {"place", "", Unit::place}};
  // People can tell from the name.
  if (!graph.node_dom_state.empty()) columns.push_back({"detached", ""});
  return columns;
}

Cell make_place(const Place& place) { return place.is_known() ? Cell(place) : Cell(); }

Cell make_place(const Graph& graph, const Node& node) { return make_place(place_of(graph, node.place())); }

std::vector<Cell> make_row(const Heap& heap, std::uint32_t index) {
  const Node node = heap.graph().node(index);
  std::vector<Cell> row = {node.id(),   std::string(node.kind().name), std::string(node.name()),
                           node.size(), heap.retained_sizes()[index],  make_place(heap.graph(), node)};
  if (!heap.graph().node_dom_state.empty()) row.emplace_back(node.dom_state() == DomState::detached);
  return row;
}

std::string label_of(const Edge& edge) {
  return edge.kind().has_index ? fmt::format("[{}]", edge.number()) : std::string(edge.name());
}

std::string show_name(const Node& node) {
  if (node.index() == 0) return std::string(root_name);
  return node.name().empty() ? "<anon>" : core::make_excerpt(node.name(), most_bytes);
}

std::string show_path(const Graph& graph, const std::vector<PathStep>& path,
                      std::span<const std::uint64_t> retained) {
  std::string text;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i + 1;
    while (end < path.size() && repeats(graph, path[end], path[end - 1])) ++end;
    // Two equal steps take no more room than a fold.
    if (end - i < 3) end = i + 1;
    if (path[i].edge) text += show_edge(graph, path[i], end - i);
    text += show_step_node(graph, path[end - 1].node, retained);
    i = end;
  }
  return text;
}

Table make_steps(const Graph& graph, const std::vector<PathStep>& path,
                 std::span<const std::uint64_t> retained) {
  Table table{.key = "steps",
              .columns = {{"id", "Id", Unit::number},
                          {"kind", "Kind"},
                          {"name", "Name"},
                          {"edge", "Edge", Unit::label},
                          {"edge_kind", ""},
                          {"place", "", Unit::place}}};
  if (!retained.empty()) table.columns.push_back({"retained", "Retained", Unit::bytes});
  for (const PathStep& step : path) {
    const Node at = graph.node(step.node);
    const Cell edge = step.edge ? Cell(label_of(Edge(graph, *step.edge))) : Cell();
    const Cell edge_kind = step.edge ? Cell(std::string(Edge(graph, *step.edge).kind().name)) : Cell();
    table.rows.push_back({at.id(), std::string(at.kind().name), std::string(at.name()), edge, edge_kind,
                          make_place(graph, at)});
    if (!retained.empty()) table.rows.back().emplace_back(retained[step.node]);
  }
  return table;
}

Table make_stack(const Graph& graph, std::span<const std::uint32_t> places) {
  Table table{.key = "stack", .columns = {{"name", "Name"}, {"place", "", Unit::place}}};
  for (const std::uint32_t place : places) {
    const std::uint32_t frame = graph.stacks.frame[place];
    table.rows.push_back({std::string(graph.stacks.texts[graph.stacks.frames[frame].name]),
                          make_place(analyze::make_place(graph.stacks, frame))});
  }
  return table;
}

}  // namespace heapcheck::analyze::answers
