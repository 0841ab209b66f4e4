// The question why nodes are still in memory: path.
#include <fmt/format.h>

#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::cli {
namespace {

constexpr std::string_view no_path = "no path leads from the root to this node\n";

/// The node that ID names: where the path ends.
Result<std::uint32_t> find_end(const Values& values, const Asked& asked) {
  const auto words = values.get<std::vector<std::string>>("ID");
  if (words.size() == 1) return asked.heap.find_node(words[0]);
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected one id, or a query after --merged", fmt::join(words, " "))});
}

Answer show_shortest(const Asked& asked, std::uint32_t node) {
  const std::vector<PathStep> path = asked.heap.path_to(node);
  return {.facts = make_facts(asked),
          .table = make_steps(asked.heap.graph(), path),
          .is_limited = false,
          .text = path.empty() ? std::string(no_path) : show_path(asked.heap.graph(), path)};
}

/// `1. 5 edges`, and the path.
std::string show_numbered(const Graph& graph, std::size_t number, const std::vector<PathStep>& path) {
  return fmt::format("{}{}. {}\n\n{}", number == 1 ? "" : "\n", number,
                     core::counted(path.size() - 1, "edge"), show_path(graph, path));
}

Answer show_several(const Asked& asked, std::uint32_t node, std::uint64_t most) {
  const Graph& graph = asked.heap.graph();
  Answer answer{.facts = make_facts(asked),
                .table = {.key = "paths", .columns = {{"edges", ""}, {"ids", ""}, {"steps", ""}}},
                .is_limited = false,
                .text = ""};
  for (const auto& path : asked.heap.paths_to(node, static_cast<std::size_t>(most))) {
    std::vector<std::uint64_t> ids;
    for (const PathStep& step : path) ids.push_back(graph.node(step.node).id());
    std::vector<Table> steps;
    steps.push_back(make_steps(graph, path));
    std::vector<Cell>& row = answer.table.rows.emplace_back();
    row.emplace_back(std::uint64_t{path.size() - 1});
    row.emplace_back(std::move(ids));
    row.emplace_back(std::move(steps));
    *answer.text += show_numbered(graph, answer.table.rows.size(), path);
  }
  if (answer.table.rows.empty()) answer.text = no_path;
  return answer;
}

Result<Answer> show_merged(const Values& values, const Asked& asked) {
  const auto nodes = asked.heap.find(join_words(values, "ID"));
  if (!nodes) return std::unexpected(nodes.error());
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"edge", "Edge", Unit::label},
                                      {"nodes", "Nodes", Unit::count},
                                      {"paths", "Paths", Unit::count}},
                          .indent = 1},
                .is_limited = false};  // the tree was
  for (const MergedPathRow& row : asked.heap.merge_paths(*nodes, most_rows(values))) {
    answer.table.rows.push_back(
        {row.name, std::uint64_t{row.depth}, row.edge ? Cell(*row.edge) : Cell(), row.count, row.ends});
  }
  return answer;
}

}  // namespace

Result<Answer> answer_path(const Values& values, const Asked& asked) {
  if (values.get<bool>("merged")) return show_merged(values, asked);
  const auto node = find_end(values, asked);
  if (!node) return std::unexpected(node.error());
  const auto most = values.get<std::uint64_t>("paths");
  return most == 1 ? show_shortest(asked, *node) : show_several(asked, *node, most);
}

int run_path(const Values& values) {
  if (values.get<bool>("merged") && !check_query(values, "ID")) return usage;
  return ask(values, answer_path);
}

}  // namespace heapcheck::cli
