// heapcheck rules and heapcheck explain: what is checked, and why.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/spec_pages.hpp"
#include "cli/suggestions.hpp"
#include "formats/core/json/writer.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// What a finding of the rule does to the verdict.
std::string_view name_of(const Rule& rule) {
  return rule.stage == Stage::limit ? "limit" : name_of(rule.severity);
}

std::string list_text() {
  std::string out;
  for (const Rule* rule : all_rules()) {
    fmt::format_to(std::back_inserter(out), "{:<28} {:<8} {}\n", rule->id, name_of(*rule), rule->title);
  }
  return out;
}

std::string list_markdown() {
  std::string out =
      "# Rules\n\n"
      "What heapcheck checks: the id of each rule, what a finding of it means, and what must hold.\n"
      "An id leads to the paragraph that gives the rule. Made by `heapcheck rules --output md`.\n\n"
      "| rule | severity | what must hold | since |\n| --- | --- | --- | --- |\n";
  for (const Rule* rule : all_rules()) {
    fmt::format_to(std::back_inserter(out), "| [`{}`]({}) | {} | {} | {} |\n", rule->id, rule->anchor,
                   name_of(*rule), rule->title, rule->since);
  }
  return out;
}

std::string list_json() {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_array();
  for (const Rule* rule : all_rules()) {
    json.begin_object();
    for (const auto& [key, value] : {std::pair{"id", rule->id},
                                     {"severity", name_of(*rule)},
                                     {"title", rule->title},
                                     {"reason", rule->reason},
                                     {"spec", rule->anchor},
                                     {"since", rule->since}}) {
      json.key(key);
      json.string(value);
    }
    json.end_object();
  }
  json.end_array();
  return out + "\n";
}

}  // namespace

int run_rules(const Values& values) {
  const auto output = values.get<std::string>("output");
  const std::string list = output == "json" ? list_json() : output == "md" ? list_markdown() : list_text();
  return write_output("", list) ? sound : usage;
}

int run_explain(const Values& values) {
  const auto id = values.get<std::string>("ID");
  const Rule* rule = find_rule(id);
  if (rule == nullptr) {
    print_error(fmt::format("no rule is called {}{}; `heapcheck rules` lists them", id, suggest_rule(id)));
    return usage;
  }
  std::string text =
      fmt::format("{}: {}\n\n{}.\n{}\n\nSince heapcheck {}. Specification: spec/{}\n", rule->id,
                  name_of(*rule), rule->title, rule->reason, rule->since, rule->anchor);
  if (const auto section = find_section(rule->anchor)) text += fmt::format("\n{}", *section);
  return write_output("", text) ? sound : usage;
}

}  // namespace heapcheck::cli
