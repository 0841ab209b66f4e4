#include <fmt/format.h>

#include "cli/ask/ask.hpp"
#include "cli/ask/rows.hpp"
#include "cli/commands.hpp"
#include "formats/core/excerpt.hpp"

namespace heapcheck::cli {
namespace {

/// The ids in JSON; the first ones of a group are enough to look at.
constexpr std::size_t most_ids = 100;

std::string show_type(std::string_view type) { return type.empty() ? "<anon>" : core::make_excerpt(type); }

/// `Array @123`.
std::string name_node(const Node& node) {
  return fmt::format("{} @{}", show_type(node.type_name()), node.id());
}

/// What is suspicious, such as `2,400 LeakyThing that Array @5 holds`.
std::string describe_nodes(const Graph& graph, const Suspect& suspect) {
  const Node first = graph.node(suspect.nodes[0]);
  if (suspect.chain != 0)
    return fmt::format("a chain of {} {}, of which {} is the first,", show_count(suspect.chain),
                       show_type(suspect.type), name_node(first));
  if (suspect.nodes.size() == 1 && !suspect.holder) return name_node(first);
  const std::string who = suspect.holder
                              ? fmt::format("that {} holds", name_node(graph.node(*suspect.holder)))
                              : "that no single node holds";
  return fmt::format("{} {} {}", show_count(suspect.nodes.size()), show_type(suspect.type), who);
}

std::string make_reason(const Graph& graph, const Suspect& suspect) {
  const bool is_one = suspect.nodes.size() == 1 || suspect.chain != 0;
  return fmt::format("{} {} {}, {:.1f} % of the heap", describe_nodes(graph, suspect),
                     is_one ? "retains" : "retain", show_bytes(suspect.retained), suspect.share * 100);
}

std::vector<std::uint64_t> list_ids(const Graph& graph, const Suspect& suspect) {
  std::vector<std::uint64_t> ids;
  for (const std::uint32_t node : suspect.nodes) {
    if (ids.size() == most_ids) break;
    ids.push_back(graph.node_id[node]);
  }
  return ids;
}

SuspectOptions make_options(const Values& values) {
  return {.least_share = static_cast<double>(values.get<std::uint64_t>("share")) / 100,
          .least_drop = static_cast<double>(values.get<std::uint64_t>("drop")) / 100};
}

Answer list_suspects(const Values& values, const Asked& asked, const std::vector<Suspect>& suspects) {
  const auto most = values.get<std::uint64_t>("limit");
  const Graph& graph = asked.heap.graph();
  Answer answer{.facts = make_facts(asked),
                .table = {.key = "suspects",
                          .columns = {{"ids", ""},
                                      {"name", "Name"},
                                      {"retained", "Retained", Unit::bytes},
                                      {"share", "Share", Unit::percent},
                                      {"reason", "Reason"},
                                      {"path", ""}}},
                .text = ""};
  for (const Suspect& suspect : suspects) {
    if (most != 0 && answer.table.rows.size() == most) break;
    const std::string reason = make_reason(graph, suspect);
    Table path = make_steps(graph, suspect.path);
    path.key = "path";
    answer.table.rows.push_back({list_ids(graph, suspect), suspect.type, suspect.retained, suspect.share,
                                 reason, std::vector{std::move(path)}});
    *answer.text += fmt::format("{}{}. {}\n\n{}", answer.text->empty() ? "" : "\n", answer.table.rows.size(),
                                reason, show_path(graph, suspect.path));
  }
  if (suspects.empty())
    answer.text =
        fmt::format("nothing retains {0} % of the heap; --share N with N below {0} looks for less\n",
                    values.get<std::uint64_t>("share"));
  return answer;
}

}  // namespace

int run_suspects(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    return list_suspects(values, asked, asked.heap.suspects(make_options(values)));
  });
}

}  // namespace heapcheck::cli
