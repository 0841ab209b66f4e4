// heapcheck rules and heapcheck explain: what is checked, and why.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/spec_pages.hpp"
#include "formats/core/json/writer.hpp"
#include "validate/catalog.hpp"

namespace heapcheck::cli {
namespace {

/// What a finding of the rule does to the verdict.
std::string_view name_of(const Rule& rule) {
  return rule.stage == Stage::limit ? "limit" : name_of(rule.severity);
}

std::string list_text() {
  std::string out;
  for (const Rule* rule : validation::all_rules()) {
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
  for (const Rule* rule : validation::all_rules()) {
    fmt::format_to(std::back_inserter(out), "| [`{}`]({}) | {} | {} | {} |\n", rule->id, rule->anchor,
                   name_of(*rule), rule->title, rule->since);
  }
  return out;
}

std::string list_json() {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_array();
  for (const Rule* rule : validation::all_rules()) {
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

/// The rule ids nearest to what was typed, for a hint.
std::string suggest(std::string_view id) {
  const std::string_view last = id.substr(id.rfind('.') == std::string_view::npos ? 0 : id.rfind('.') + 1);
  std::string hint;
  for (const Rule* rule : validation::all_rules()) {
    if (last.size() < 3 || rule->id.find(last) == std::string_view::npos) continue;
    fmt::format_to(std::back_inserter(hint), "{}{}", hint.empty() ? "; did you mean " : ", ", rule->id);
  }
  return hint;
}

int explain(const std::string& id) {
  const Rule* rule = validation::find_rule(id);
  if (rule == nullptr) {
    print_error(fmt::format("no rule is called {}{}; `heapcheck rules` lists them", id, suggest(id)));
    return usage;
  }
  std::string text =
      fmt::format("{}: {}\n\n{}.\n{}\n\nSince heapcheck {}. Specification: spec/{}\n", rule->id,
                  name_of(*rule), rule->title, rule->reason, rule->since, rule->anchor);
  if (const auto section = find_section(rule->anchor)) text += fmt::format("\n{}", *section);
  return write_output("", text) ? sound : usage;
}

}  // namespace

Run add_rules(CLI::App& app) {
  auto output = std::make_shared<std::string>("text");
  CLI::App* command = app.add_subcommand("rules", "List every rule: its id, its severity and what must hold");
  command->add_option("--output", *output, "Form of the list (default: text)")
      ->check(CLI::IsMember({"text", "json", "md"}))
      ->option_text("text|json|md");
  return [output]() -> int {
    const std::string list = *output == "json" ? list_json()
                             : *output == "md" ? list_markdown()
                                               : list_text();
    return write_output("", list) ? sound : usage;
  };
}

Run add_explain(CLI::App& app) {
  auto id = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Say what a rule checks, why, and what the specification says");
  command->add_option("ID", *id, "The rule, such as mvm3.toc.entry-bounds")->required();
  return [id] { return explain(*id); };
}

}  // namespace heapcheck::cli
