#include <fmt/format.h>

#include "cli/ask/ask.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {
namespace {

TopOf parse_what(const std::string& word) {
  if (word == "types") return TopOf::types;
  if (word == "stables") return TopOf::stables;
  if (word == "frames") return TopOf::frames;
  if (word == "kinds") return TopOf::kinds;
  return word == "strings" ? TopOf::strings : TopOf::objects;
}

/// `by size`, `by count`, or nothing.
Result<TopBy> parse_order(const std::vector<std::string>& words) {
  if (words.empty()) return TopBy::size;
  const bool is_order = words.size() == 2 && words[0] == "by" && (words[1] == "size" || words[1] == "count");
  if (is_order) return words[1] == "size" ? TopBy::size : TopBy::count;
  return std::unexpected(
      Error{ErrorKind::unsupported,
            fmt::format("found \"{}\", expected by size or by count", fmt::join(words, " "))});
}

}  // namespace

int run_top(const Values& values) {
  return ask(values, [&](const Asked& asked) -> Result<Answer> {
    const auto what = values.get<std::string>("WHAT");
    const auto by = parse_order(values.get<std::vector<std::string>>("ORDER"));
    if (!by) return std::unexpected(by.error());
    Answer answer{
        .facts = make_facts(asked),
        .table = {
            .columns = {{"name", "Name"}, {"count", "Count", Unit::count}, {"size", "Size", Unit::bytes}}}};
    answer.facts.emplace_back("of", what);
    answer.facts.emplace_back("by", *by == TopBy::size ? "size" : "count");
    for (const NodeTotals& row : asked.heap.top(parse_what(what), *by))
      answer.table.rows.push_back({row.name, row.count, row.size});
    return answer;
  });
}

}  // namespace heapcheck::cli
