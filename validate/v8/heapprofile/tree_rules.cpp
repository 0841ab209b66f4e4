#include "validate/v8/heapprofile/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "formats/core/finding_groups.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/v8/heapprofile/layout.hpp"
#include "validate/reader_rules.hpp"

namespace heapcheck::validation::v8::heapprofile {
namespace {

Location locate_node(const format::Reading& reading, std::size_t row, std::string_view suffix = {}) {
  const auto node = static_cast<format::NodeIndex>(row);
  return {format::mark(reading.container.node_offsets[row]), std::nullopt,
          format::make_path(reading.profile.nodes, reading.container, node) + std::string(suffix)};
}

/// The difference between the root's call frame and the one that V8 writes; empty if they are equal.
std::string find_root_fault(const format::Profile& profile) {
  const format::Nodes& nodes = profile.nodes;
  const std::string_view name = profile.strings[nodes.function_name[0]];
  if (name != format::root_name)
    return fmt::format("the root is the function \"{}\", expected {}", core::make_excerpt(name),
                       format::root_name);
  if (!profile.strings[nodes.url[0]].empty()) return "the root has a URL, expected none";
  const core::PoolIndex script = nodes.script_id[0];
  if (script != format::no_text && !profile.strings[script].empty() &&
      profile.strings[script] != format::no_script) {
    return fmt::format("the root has the script id \"{}\", expected \"{}\"",
                       core::make_excerpt(profile.strings[script]), format::no_script);
  }
  if (nodes.line[0] > 0 || nodes.column[0] > 0) return "the root has a line or column, expected none";
  return {};
}

std::vector<std::uint32_t> sort_by_id(const format::Nodes& nodes) {
  std::vector<std::uint32_t> rows(nodes.count());
  std::iota(rows.begin(), rows.end(), std::uint32_t{0});
  std::erase_if(rows, [&nodes](std::uint32_t row) { return nodes.id[row] == format::no_id; });
  std::ranges::sort(rows, {}, [&nodes](std::uint32_t row) { return std::pair(nodes.id[row], row); });
  return rows;
}

}  // namespace

void check_root(const format::Reading& reading, core::FindingSink& sink) {
  if (reading.profile.nodes.count() == 0 || !reading.container.node_parts[0].frame) return;
  std::string fault = find_root_fault(reading.profile);
  if (fault.empty()) return;
  sink.report({&rules::root_frame, locate_node(reading, 0, "/callFrame"), std::move(fault)});
}

void check_node_sum(const format::Reading& reading, core::FindingSink& sink) {
  const std::optional<std::size_t> row = format::find_row_beyond_64_bits(reading.profile.nodes.self_size);
  if (!row) return;
  sink.report({&rules::size_sum, locate_node(reading, *row, "/selfSize"),
               "the sizes of the nodes up to this one add up to more than 2^64 - 1"});
}

void check_lines(const format::Reading& reading, core::FindingSink& sink) {
  const format::Nodes& nodes = reading.profile.nodes;
  core::FindingGroups findings(sink, rules::frame_line);
  for (std::size_t row = 0; row < nodes.count(); ++row) {
    const std::int32_t line = nodes.line[row];
    const std::int32_t column = nodes.column[row];
    const auto is_strange = [](std::int32_t position) {
      return position < format::unknown_position && position != format::no_position;
    };
    if (!is_strange(line) && !is_strange(column)) continue;
    const format::NodeParts parts = reading.container.node_parts[row];
    if (!parts.frame && !parts.end) continue;  // the document ends inside the node
    findings.add([&] {
      return Finding{&rules::frame_line, locate_node(reading, row, "/callFrame"),
                     is_strange(line) ? fmt::format("line is {}, expected at least -1", line)
                                      : fmt::format("column is {}, expected at least -1", column)};
    });
  }
  findings.report();
}

void check_unique_ids(const format::Reading& reading, core::FindingSink& sink) {
  const format::Nodes& nodes = reading.profile.nodes;
  const std::vector<std::uint32_t> rows = sort_by_id(nodes);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> repeated;  // the row, and the first row with the same
                                                                  // id
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (nodes.id[rows[i - 1]] != nodes.id[rows[i]]) continue;
    const bool continues = !repeated.empty() && repeated.back().first == rows[i - 1];
    repeated.emplace_back(rows[i], continues ? repeated.back().second : rows[i - 1]);
  }
  std::ranges::sort(repeated);
  core::FindingGroups findings(sink, rules::node_id_duplicate);
  for (const auto& pair : repeated) {
    findings.add([&] {
      const auto [row, first] = pair;
      return Finding{
          &rules::node_id_duplicate,
          locate_node(reading, row, "/id"),
          fmt::format("id is {}, the same as that of an earlier node, expected unique ids", nodes.id[row]),
          {{locate_node(reading, first), "the earlier node"}}};
    });
  }
  findings.report();
}

bool check_missing_ids(const format::Reading& reading, core::FindingSink& sink) {
  const format::Nodes& nodes = reading.profile.nodes;
  std::size_t missing = 0;
  std::size_t first = 0;
  for (std::size_t row = nodes.count(); row-- > 0;) {
    if (nodes.id[row] != format::no_id) continue;
    first = row;
    ++missing;
  }
  if (missing == 0) return true;
  if (missing == nodes.count() && reading.profile.samples.count() == 0) return false;
  sink.report({&rules::node_id_missing, locate_node(reading, first),
               fmt::format("{} of {} {} no `id`", missing, core::counted(nodes.count(), "node"),
                           missing == 1 ? "has" : "have")});
  return false;
}

void check_depth_for_speedscope(const format::Reading& reading, const ReaderProfile& reader,
                                core::FindingSink& sink) {
  constexpr std::uint64_t most_levels = 2800;  // spec: readers.md#speedscope
  const std::uint64_t deepest = std::min(most_levels, reader.max_calls);
  const std::vector<format::NodeIndex>& parents = reading.profile.nodes.parent;
  std::vector<std::uint32_t> depths(parents.size(), 1);
  for (std::size_t row = 1; row < parents.size(); ++row) {
    depths[row] = depths[format::row_of(parents[row])] + 1;
    if (depths[row] <= deepest) continue;
    sink.report(
        {&validation::rules::speedscope_depth, locate_node(reading, row),
         fmt::format("the node is at depth {} of the tree, expected at most {}", depths[row], deepest)});
    return;
  }
}

}  // namespace heapcheck::validation::v8::heapprofile
