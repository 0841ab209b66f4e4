#include "analyze/answers/rows.hpp"

#include <fmt/format.h>

#include "analyze/answers/write.hpp"
#include "analyze/totals.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

constexpr std::size_t most_bytes = 100;

/// One step of a path: the node and, before it, the edge that leads there.
std::string show_step(const Graph& graph, const PathStep& step) {
  const Node node = graph.node(step.node);
  std::string text;
  if (step.edge) {
    const std::string label = label_of(Edge(graph, *step.edge));
    text =
        fmt::format("    --[ {} ]-->\n", label.empty() ? "Unknown" : core::make_excerpt(label, most_bytes));
  }
  const bool says_kind = node.kind().group != NodeGroup::root;
  return text + show_name(node) + show_place_after(place_of(graph, node.place())) +
         (says_kind ? fmt::format(" ({}) @{}\n", node.kind().name, node.id()) : std::string("\n"));
}

}  // namespace

std::string show_process(const DumpProcess& process) {
  return core::make_excerpt(process.name, most_process_bytes);
}

void append_process(const DumpProcess& process, std::vector<Cell>& row) {
  row.emplace_back(process.name);
  row.push_back(process.type.empty() ? Cell() : Cell(process.type));
  // The only negative numbers in answers are ids of processes, which a double represents exactly.
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

std::optional<TopBy> parse_top_by(std::string_view word) {
  if (word == "size") return TopBy::size;
  if (word == "count") return TopBy::count;
  return word == "retained" || word == "cumulative" ? std::optional(TopBy::retained) : std::nullopt;
}

Result<void> check_comparable(const FirstDump& first, Format later) {
  if (family_of(later) == family_of(first.format)) return {};
  return refuse(fmt::format("found a {}, expected a {}, as {} is", title_of(later), title_of(first.format),
                            core::show_path(first.file)));
}

const std::vector<Column> node_columns = {{"id", "Id", Unit::number},
                                          {"kind", "Kind"},
                                          {"name", "Name"},
                                          {"size", "Size", Unit::bytes},
                                          {"retained", "Retained", Unit::bytes},
                                          {"place", "", Unit::place}};

Cell make_place(const Place& place) { return place.is_known() ? Cell(place) : Cell(); }

Cell make_place(const Graph& graph, const Node& node) { return make_place(place_of(graph, node.place())); }

std::vector<Cell> make_row(const Heap& heap, std::uint32_t index) {
  const Node node = heap.graph().node(index);
  return {node.id(),   std::string(node.kind().name), std::string(node.name()),
          node.size(), heap.retained_sizes()[index],  make_place(heap.graph(), node)};
}

std::string label_of(const Edge& edge) {
  return edge.kind().has_index ? fmt::format("[{}]", edge.number()) : std::string(edge.name());
}

std::string show_name(const Node& node) {
  return node.name().empty() ? "<anon>" : core::make_excerpt(node.name(), most_bytes);
}

std::string show_path(const Graph& graph, const std::vector<PathStep>& path) {
  std::string text;
  for (const PathStep& step : path) text += show_step(graph, step);
  return text;
}

Table make_steps(const Graph& graph, const std::vector<PathStep>& path) {
  Table table{.key = "steps",
              .columns = {{"id", "Id", Unit::number},
                          {"kind", "Kind"},
                          {"name", "Name"},
                          {"edge", "Edge", Unit::label},
                          {"place", "", Unit::place}}};
  for (const PathStep& step : path) {
    const Node at = graph.node(step.node);
    const Cell edge = step.edge ? Cell(label_of(Edge(graph, *step.edge))) : Cell();
    table.rows.push_back(
        {at.id(), std::string(at.kind().name), std::string(at.name()), edge, make_place(graph, at)});
  }
  return table;
}

}  // namespace heapcheck::analyze::answers
