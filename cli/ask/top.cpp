#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/ask/ask.hpp"
#include "cli/ask/questions.hpp"
#include "cli/ask/rows.hpp"
#include "cli/ask/stacks.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/suggestions.hpp"

namespace heapcheck::cli {
namespace {

/// The words for WHAT that can have rows.
std::vector<std::string_view> list_choices(const Graph& graph) {
  constexpr std::pair<NodeGroup, std::string_view> groups[] = {{NodeGroup::object, "objects"},
                                                               {NodeGroup::type_object, "types"},
                                                               {NodeGroup::stable, "stables"},
                                                               {NodeGroup::frame, "frames"},
                                                               {NodeGroup::string, "strings"}};
  std::vector<std::string_view> choices;
  for (const auto& [group, word] : groups) {
    if (std::ranges::find(graph.node_kinds, group, &GraphKind::group) != graph.node_kinds.end())
      choices.push_back(word);
  }
  choices.emplace_back("kinds");
  return choices;
}

/// `by size`, `by count`, `by retained`, or nothing.
Result<std::string> parse_order(const std::vector<std::string>& words) {
  if (words.empty()) return "size";
  const bool is_order =
      words.size() == 2 && words[0] == "by" && words[1] != "cumulative" && parse_top_by(words[1]);
  if (is_order) return words[1];
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected by size, by count or by retained", fmt::join(words, " "))});
}

}  // namespace

Result<Answer> answer_top(const Values& values, const Asked& asked) {
  const auto what = values.get<std::string>("WHAT");
  const auto by = parse_order(values.get<std::vector<std::string>>("ORDER"));
  if (!by) return std::unexpected(by.error());
  const auto choices = list_choices(asked.heap.graph());
  if (std::ranges::find(choices, what) == choices.end())
    return std::unexpected(Error{
        ErrorKind::unsupported,
        fmt::format("has no {}, expected {}", what, join_with_or(Choices(choices.begin(), choices.end())))});
  Answer answer{.facts = make_facts(asked),
                .table = {.columns = {{"name", "Name"},
                                      {"count", "Count", Unit::count},
                                      {"size", "Size", Unit::bytes},
                                      {"retained", "Retained", Unit::bytes}}}};
  answer.facts.emplace_back("of", what);
  answer.facts.emplace_back("by", *by);
  std::vector<NodeTotals> rows = asked.heap.top(parse_top_of(what), *parse_top_by(*by));
  const std::size_t count = rows.size();
  answer.later_rows = {count, [rows = std::move(rows)](std::size_t i) -> std::vector<Cell> {
                         return {rows[i].name, rows[i].count, rows[i].size, rows[i].retained};
                       }};
  return answer;
}

int run_top(const Values& values) {
  const auto order = values.get<std::vector<std::string>>("ORDER");
  const bool is_order = order.empty() || (order.size() == 2 && order[0] == "by" && parse_top_by(order[1]));
  if (!is_order) {  // for any file, so it need not be read
    print_error(fmt::format("found \"{}\", expected by size, by count, by retained or by cumulative",
                            fmt::join(order, " ")));
    return usage;
  }
  return ask_snapshot(values, [](const Values& options, const AskedSnapshot& snapshot) -> Result<Answer> {
    if (counts_stacks(snapshot, options.get<std::string>("WHAT")))
      return answer_top_stacks(options, snapshot);
    const auto asked = make_asked(snapshot);
    if (!asked) return std::unexpected(asked.error());
    return answer_top(options, *asked);
  });
}

}  // namespace heapcheck::cli
