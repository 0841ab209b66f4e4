// The question of why nodes are still in memory: path.
#include <fmt/format.h>

#include <utility>

#include "analyze/answers/question.hpp"
#include "analyze/answers/rows.hpp"
#include "analyze/totals.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::analyze::answers {
namespace {

constexpr std::string_view no_path = "no path leads from the root to this node\n";

/// The node named by the `id` option, which is the end of the path.
Result<std::uint32_t> find_end(const Options& options, const AskedHeap& asked) {
  const std::string id = options.text("id");
  if (!id.contains(' ')) return asked.heap->find_node(id);
  return refuse(fmt::format("found \"{}\", expected one id, or a query after --merged", id));
}

Answer show_shortest(const AskedHeap& asked, std::uint32_t node) {
  const std::vector<PathStep> path = asked.heap->path_to(node);
  return {.facts = make_facts(asked.snapshot),
          .table = make_steps(asked.graph(), path),
          .is_limited = false,
          .text = path.empty() ? std::string(no_path) : show_path(asked.graph(), path)};
}

/// `1. 5 edges`, and the path.
std::string show_numbered(const Graph& graph, std::size_t number, const std::vector<PathStep>& path) {
  return fmt::format("{}{}. {}\n\n{}", number == 1 ? "" : "\n", number,
                     core::counted(path.size() - 1, "edge"), show_path(graph, path));
}

Answer show_several(const AskedHeap& asked, std::uint32_t node, std::uint64_t most) {
  const Graph& graph = asked.graph();
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.key = "paths", .columns = {{"edges", ""}, {"ids", ""}, {"steps", ""}}},
                .is_limited = false,
                .text = ""};
  for (const auto& path : asked.heap->paths_to(node, static_cast<std::size_t>(most))) {
    std::vector<std::uint64_t> ids;
    for (const PathStep& step : path) ids.push_back(graph.node(step.node).id());
    std::vector<Table> steps;
    steps.push_back(make_steps(graph, path));
    // The cells are added one by one, because an initialiser list would copy the lists and the table.
    std::vector<Cell>& row = answer.table.rows.emplace_back();
    row.emplace_back(std::uint64_t{path.size() - 1});
    row.emplace_back(std::move(ids));
    row.emplace_back(std::move(steps));
    *answer.text += show_numbered(graph, answer.table.rows.size(), path);
  }
  if (answer.table.rows.empty()) answer.text = no_path;
  return answer;
}

Result<Answer> show_merged(const Options& options, const AskedHeap& asked) {
  const auto nodes = asked.heap->find(options.text("id"));
  if (!nodes) return std::unexpected(nodes.error());
  Answer answer{.facts = make_facts(asked.snapshot),
                .table = {.columns = {{"name", "Name"},
                                      {"depth", ""},
                                      {"edge", "Edge", Unit::label},
                                      {"nodes", "Nodes", Unit::count},
                                      {"paths", "Paths", Unit::count},
                                      {"place", "", Unit::place}},
                          .indent = 1},
                .is_limited = false};  // the tree was limited instead
  for (const MergedPathRow& row : asked.heap->merge_paths(*nodes, options.most_rows())) {
    answer.table.rows.push_back({row.node == 0 ? std::string(root_name) : row.name, std::uint64_t{row.depth},
                                 row.edge ? Cell(*row.edge) : Cell(), row.count, row.ends,
                                 make_place(place_of(asked.graph(), row.node, row.count))});
  }
  return answer;
}

}  // namespace

Result<void> check_merged(const Options& options) {
  return options.flag("merged") ? Heap::check_query(options.text("id")) : Result<void>();
}

Result<Answer> answer_path(const Options& options, const AskedHeap& asked) {
  if (options.flag("merged")) return show_merged(options, asked);
  const auto node = find_end(options, asked);
  if (!node) return std::unexpected(node.error());
  const auto most = options.count("paths");
  return most == 1 ? show_shortest(asked, *node) : show_several(asked, *node, most);
}

}  // namespace heapcheck::analyze::answers
