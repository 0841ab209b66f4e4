#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {
namespace {

std::uint64_t add_sizes(const std::vector<NodeTotals>& kinds) {
  std::uint64_t size = 0;
  for (const NodeTotals& kind : kinds) size += kind.size;
  return size;
}

Table make_kinds(const std::vector<NodeTotals>& kinds) {
  Table table{.key = "kinds",
              .columns = {{"kind", "Kind"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}};
  for (const NodeTotals& kind : kinds) table.rows.push_back({kind.name, kind.count, kind.size});
  return table;
}

}  // namespace

int run_summary(const Values& values) {
  Answer answer{.table = {.key = "snapshots",
                          .columns = {{"index", "Snapshot", Unit::number},
                                      {"nodes", "Nodes", Unit::count},
                                      {"edges", "Edges", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"kinds", ""}}}};
  return ask_each(
      values,
      [&](const Asked& asked) {
        if (answer.facts.empty()) answer.facts.emplace_back("format", std::string(slug_of(asked.format)));
        const std::vector<NodeTotals> kinds = asked.heap.kinds();
        answer.table.rows.push_back({asked.snapshot, std::uint64_t{asked.heap.graph().node_count()},
                                     asked.heap.graph().edge_count(), add_sizes(kinds),
                                     std::vector{make_kinds(kinds)}});
      },
      [&] { return answer; });
}

}  // namespace heapcheck::cli
