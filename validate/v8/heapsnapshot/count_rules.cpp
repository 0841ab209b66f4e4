#include "validate/v8/heapsnapshot/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/v8/heapsnapshot/quirks.hpp"
#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"
#include "validate/v8/heapsnapshot/distinct.hpp"
#include "validate/v8/heapsnapshot/trace_rules.hpp"

namespace heapcheck::validation::v8::heapsnapshot {
namespace {

using format::Header;
using format::HeaderNumber;
using format::Table;

Location locate(const HeaderNumber& number, std::string_view name) {
  return {number.span, std::nullopt, fmt::format("/snapshot/{}", name)};
}

/// The number of edges according to the nodes; empty if that is unknown.
std::optional<std::uint64_t> sum_edge_counts(const Snapshot& snapshot) {
  const Field counts(snapshot, Section::nodes, "edge_count");
  if (!counts) return std::nullopt;
  std::uint64_t sum = 0;
  for_each_value(*counts.column,
                 [&](std::uint64_t, std::uint64_t count) { sum = core::saturating_add(sum, count); });
  return sum;
}

/// Whether edges lead to nodes that the header counts but that are not in the file.
bool lead_to_lost_nodes(const Snapshot& snapshot, std::uint64_t said) {
  const Field targets(snapshot, Section::edges, "to_node");
  const Table& nodes = snapshot.table(Section::nodes);
  const std::uint64_t columns = nodes.columns.size();
  if (!targets || targets.column->largest() < nodes.value_count) return false;
  bool are_lost = false;
  for_each_above(*targets.column, nodes.value_count - 1, [&](std::uint64_t, std::uint64_t target) {
    are_lost |= target % columns == 0 && target / columns < said;
  });
  return are_lost;
}

/// Whether nodes were added: the number of nodes with the id of an earlier one is at least the number of
/// surplus nodes, or no edge leads to the last nodes.
bool has_added_nodes(const Snapshot& snapshot, std::uint64_t said) {
  const Field targets(snapshot, Section::edges, "to_node");
  const Field ids(snapshot, Section::nodes, "id");
  if (targets && targets.column->largest() / snapshot.table(Section::nodes).columns.size() < said)
    return true;
  return ids && find_repeated(*ids.column).size() >= ids.column->count() - said;
}

struct Counts {
  std::optional<HeaderNumber> said;
  std::uint64_t found = 0;

  [[nodiscard]] bool differ() const { return said && said->value != found; }
};

struct CountNames {
  std::string_view count;
  Section section;
};

/// Reports a wrong count at `row`, the first mismatched row, or at the number in the header if there is none.
void report_count(const Rule& rule, const Counts& counts, const CountNames& names,
                  const std::optional<Location>& row, core::FindingSink& sink) {
  sink.report({&rule, row ? *row : locate(*counts.said, names.count),
               fmt::format("`{}` is {}, but the number of rows in `{}` is {}", names.count,
                           counts.said->value, name_of(names.section), counts.found)});
}

/// The location of the first row that shows that the number of rows is wrong, if both sections can be
/// checked.
std::optional<Location> locate_miscounted(const Snapshot& snapshot, Section section) {
  if (!snapshot.is_sound(Section::nodes) || !snapshot.is_sound(Section::edges)) return std::nullopt;
  const auto row = consistency::find_miscounted_row(snapshot, section);
  return row ? std::optional(consistency::locate(snapshot, *row)) : std::nullopt;
}

/// Returns whether the counts are those that Hermes writes. If they are, reports a note.
bool check_zero_counts(const Snapshot& snapshot, core::FindingSink& sink) {
  if (!format::has_zero_counts(snapshot)) return false;
  sink.report({&rules::header_zero_counts, locate(*snapshot.header.node_count, "node_count"),
               fmt::format("`node_count` and `edge_count` are 0, but there are {} and {}",
                           core::counted(snapshot.table(Section::nodes).row_count(), "node"),
                           core::counted(snapshot.table(Section::edges).row_count(), "edge"))});
  return true;
}

/// Returns whether the rows can be checked further. They can if only the count is wrong.
bool check_node_count(const Snapshot& snapshot, core::FindingSink& sink) {
  const Counts nodes{snapshot.header.node_count, snapshot.table(Section::nodes).row_count()};
  if (!nodes.differ() || check_zero_counts(snapshot, sink)) return true;
  report_count(rules::nodes_count, nodes, {"node_count", Section::nodes},
               locate_miscounted(snapshot, Section::nodes), sink);
  return snapshot.is_sound(Section::edges) && !has_other_nodes(snapshot);
}

/// Returns whether all edges were read and each belongs to the right node.
bool check_edge_count(const Snapshot& snapshot, core::FindingSink& sink) {
  const Counts edges{snapshot.header.edge_count, snapshot.table(Section::edges).row_count()};
  const auto sum = sum_edge_counts(snapshot);
  const bool is_wrong = edges.differ() && !format::has_zero_counts(snapshot);
  if (is_wrong) {
    report_count(rules::edges_count, edges, {"edge_count", Section::edges},
                 locate_miscounted(snapshot, Section::edges), sink);
  }
  if (!sum || *sum == edges.found) return sum.has_value();
  // If the header agrees with the nodes, edges were lost or added, which is one mistake.
  if (!is_wrong || *sum != edges.said->value) {
    const auto node = consistency::find_misassigned_node(snapshot);
    const Location nodes{snapshot.table(Section::nodes).span, std::nullopt, "/nodes"};
    sink.report({&rules::edges_per_node, node ? consistency::locate(snapshot, *node) : nodes,
                 fmt::format("the `edge_count` values add up to {}, but the number of edges is {}", *sum,
                             edges.found)});
  }
  return false;
}

}  // namespace

bool has_other_nodes(const Snapshot& snapshot) {
  const auto& said = snapshot.header.node_count;
  const std::uint64_t found = snapshot.table(Section::nodes).row_count();
  if (!said || said->value == found || format::has_zero_counts(snapshot)) return false;
  return said->value > found ? lead_to_lost_nodes(snapshot, said->value)
                             : has_added_nodes(snapshot, said->value);
}

void check_lengths(const Snapshot& snapshot, core::FindingSink& sink) {
  for (std::size_t i = 0; i < format::section_count; ++i) {
    const Table& table = snapshot.tables[i];
    const auto& fields = snapshot.schema.fields[i];
    if (!table.is_whole() || !table.wrong.empty() || !fields) continue;
    if (table.is_sound()) continue;
    const auto row = consistency::find_misaligned_row(snapshot, static_cast<Section>(i));
    const Location location =
        row ? consistency::locate(snapshot, *row)
            : Location{table.span, std::nullopt, fmt::format("/{}", name_of(static_cast<Section>(i)))};
    sink.report({&rules::section_length, location,
                 fmt::format("`{}` contains {}, expected a multiple of {}", name_of(static_cast<Section>(i)),
                             core::counted(table.value_count, "number"), fields->size())});
  }
}

GraphSoundness check_graph_counts(const Snapshot& snapshot, core::FindingSink& sink) {
  // If the document is damaged, an extra bracket may have ended an array too early.
  const bool has_nodes = snapshot.is_whole && snapshot.is_sound(Section::nodes);
  const bool has_edges = snapshot.is_whole && snapshot.is_sound(Section::edges);
  GraphSoundness soundness;
  soundness.nodes = has_nodes && check_node_count(snapshot, sink);
  soundness.edges = has_edges;
  soundness.graph = soundness.nodes && has_edges && check_edge_count(snapshot, sink) &&
                    snapshot.find_column(Section::edges, "to_node") != nullptr;
  if (soundness.nodes && snapshot.table(Section::nodes).row_count() == 0) {
    soundness.nodes = soundness.graph = false;
    sink.report({&rules::nodes_none,
                 {snapshot.table(Section::nodes).span, std::nullopt, "/nodes"},
                 "there are no nodes, expected at least the root"});
  }
  if (!soundness.nodes) sink.skip({"/edges", "not all nodes that edges may lead to are known"});
  if (!soundness.graph) sink.skip({"/nodes", "it is unknown which edges belong to which nodes"});
  return soundness;
}

void check_trace_function_count(const Snapshot& snapshot, core::FindingSink& sink) {
  const Table& functions = snapshot.table(Section::trace_function_infos);
  if (!snapshot.is_whole || !snapshot.is_sound(Section::trace_function_infos) || functions.columns.empty())
    return;
  const Counts counts{snapshot.header.trace_function_count, functions.row_count()};
  if (!counts.differ()) return;
  const bool is_less = counts.said->value < counts.found;
  report_count(is_less ? rules::trace_functions_undercount : rules::trace_functions_count, counts,
               {"trace_function_count", Section::trace_function_infos}, std::nullopt, sink);
}

}  // namespace heapcheck::validation::v8::heapsnapshot
