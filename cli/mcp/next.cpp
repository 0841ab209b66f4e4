#include "cli/mcp/next.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace heapcheck::cli::mcp {
namespace {

/// What a tool suggests for the node in one of its rows.
struct NodeStep {
  std::string_view after;
  std::string_view tool;
  std::string_view why;
};

constexpr NodeStep node_steps[] = {
    {"suspects", "path",
     "shows every step from the root to the first suspect, with places in the source code"},
    {"suspects", "show", "shows the first suspect with the nodes around it"},
    {"leaks", "path",
     "shows every step from the root to a node of the first leak, with places in the source code"},
    {"leaks", "show", "shows a node of the first leak with the nodes around it"},
    {"find", "path", "shows why the first node is still in memory"},
    {"find", "show", "shows the first node with its edges"},
    {"retained", "dominators", "shows what the first node retains"},
    {"retained", "path", "shows why the first node is still in memory"},
    {"dominators", "path", "shows why the largest node below the top is still in memory"},
    {"path", "show", "shows the last node with its edges"},
    {"path", "retainers", "shows what else refers to the last node"},
    {"retainers", "path", "shows why the first of these nodes is still in memory"},
    {"unreachable", "show", "shows the first of these nodes with its edges"},
    {"duplicates", "path", "shows what holds the first of these strings"},
    {"show", "path", "shows why this node is still in memory"},
    {"show", "retainers", "shows everything that refers to it"},
};

/// Suggestions that need no more than the dump.
constexpr NodeStep dump_steps[] = {
    {"summary", "suspects", "shows what to look at first"},
    {"top", "retained", "lists the nodes that retain the most memory"},
    {"top", "suspects", "shows what to look at first"},
    {"count", "suspects", "shows what to look at first"},
    {"diff", "suspects", "shows what retains the new memory, and where it is held"},
    {"growth", "suspects", "shows what retains the new memory, and where it is held"},
};

std::optional<std::uint64_t> find_id(const Cell& cell) {
  if (const auto* id = std::get_if<std::uint64_t>(&cell)) return *id;
  const auto* ids = std::get_if<std::vector<std::uint64_t>>(&cell);
  return ids == nullptr || ids->empty() ? std::nullopt : std::optional(ids->front());
}

std::optional<std::uint64_t> find_id_in(const Table& table, const std::vector<Cell>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string_view key = table.columns[i].key;
    if (key == "id" || key == "ids") return find_id(row[i]);
  }
  return {};
}

/// The node of an answer that is worth a look: the first one, except that the last one of a path is meant,
/// and the first row of a tree is its top.
std::optional<std::uint64_t> choose_node(std::string_view tool, const Answer& answer) {
  if (tool == "show") {
    const auto fact = std::ranges::find(answer.facts, "id", &std::pair<std::string_view, Cell>::first);
    return fact == answer.facts.end() ? std::nullopt : find_id(fact->second);
  }
  const auto& rows = answer.table.rows;
  if (rows.empty()) return {};
  if (tool == "path") return find_id_in(answer.table, rows.back());
  if (tool == "dominators" && rows.size() > 1) return find_id_in(answer.table, rows[1]);
  return find_id_in(answer.table, rows.front());
}

Suggestion suggest(std::string_view tool, const OpenDump& dump, std::string_view why) {
  Suggestion next{.tool = tool, .arguments = {{"dump", dump.id}}, .why = why};
  if (tool == "top") next.arguments["what"] = std::string(has_graph(dump) ? "objects" : "frames");
  return next;
}

/// Earlier dumps of the same format, oldest first.
std::vector<const OpenDump*> find_earlier(const OpenDump& dump,
                                          const std::vector<std::unique_ptr<OpenDump>>& dumps) {
  std::vector<const OpenDump*> earlier;
  for (const auto& other : dumps) {
    if (other.get() == &dump) break;
    if (!other->obstacle && other->format == dump.format && other->path != dump.path)
      earlier.push_back(other.get());
  }
  return earlier;
}

std::vector<Suggestion> suggest_for_damaged(const OpenDump& dump) {
  return {suggest("validate", dump, "lists what is wrong with the file, and where"),
          {.tool = "recover",
           .arguments = {{"dump", dump.id}, {"output", dump.path + ".recovered"}},
           .why = "writes the intact parts to a new file, about which questions can be asked"}};
}

/// Those of the arguments that name dumps.
OptionValues keep_dumps(const OptionValues& arguments) {
  OptionValues dumps;
  for (const auto& [name, value] : arguments) {
    if (name == "dump" || name == "later") dumps.emplace(name, value);
  }
  return dumps;
}

/// What to ask if nothing retains a large share: for smaller shares.
std::vector<Suggestion> suggest_smaller(const OptionValues& arguments) {
  constexpr std::uint64_t small_share = 5;
  std::vector<Suggestion> next;
  const auto share = arguments.find("share");
  if (share == arguments.end() || std::get<std::uint64_t>(share->second) > small_share) {
    next.push_back({"suspects", keep_dumps(arguments), "shows what retains a smaller share"});
    next.back().arguments["share"] = small_share;
  }
  next.push_back(
      {"leaks", keep_dumps(arguments), "groups what is new, or large, by the paths that lead to it"});
  return next;
}

std::vector<Suggestion> suggest_about_stacks(std::string_view tool, const OpenDump& dump) {
  if (tool == "tree") return {suggest("top", dump, "counts the memory by function, without the callers")};
  if (tool == "validate") return {};
  return {suggest("tree", dump, "shows the call stacks")};
}

}  // namespace

std::vector<Suggestion> suggest_for_dump(const OpenDump& dump,
                                         const std::vector<std::unique_ptr<OpenDump>>& dumps) {
  if (dump.obstacle) return suggest_for_damaged(dump);
  if (!has_graph(dump))
    return {suggest("tree", dump, "shows which call stacks allocated the memory"),
            suggest("top", dump, "counts the memory by function")};
  std::vector<Suggestion> next;
  const auto earlier = find_earlier(dump, dumps);
  if (!earlier.empty()) {
    for (const std::string_view tool : {"suspects", "leaks"})
      next.push_back({.tool = tool,
                      .arguments = {{"dump", earlier.back()->id}, {"later", std::vector{dump.id}}},
                      .why = tool == "suspects"
                                 ? "shows what grew since the earlier dump, and where it is held"
                                 : "groups what is new since the earlier dump by the paths that lead to it"});
  } else {
    next.push_back(suggest("suspects", dump,
                           dump.snapshot_count > 1
                               ? "shows what grew from the first snapshot to the last"
                               : "shows what to look at first; open a later dump first, if there is one"));
  }
  next.push_back(suggest("top", dump, "counts the memory by type"));
  return next;
}

std::vector<Suggestion> suggest_after(std::string_view tool, const OpenDump& dump,
                                      const OptionValues& arguments, const Answer& answer) {
  if (!has_graph(dump)) return suggest_about_stacks(tool, dump);
  if (tool == "suspects" && answer.table.rows.empty()) return suggest_smaller(arguments);
  std::vector<Suggestion> next;
  const auto node = choose_node(tool, answer);
  for (const NodeStep& step : node_steps) {
    if (step.after != tool || !node) continue;
    Suggestion suggestion = suggest(step.tool, dump, step.why);
    suggestion.arguments["id"] = fmt::to_string(*node);
    next.push_back(std::move(suggestion));
  }
  for (const NodeStep& step : dump_steps) {
    if (step.after != tool) continue;
    const bool is_about_same = step.tool == "suspects" && arguments.contains("later");
    next.push_back(is_about_same ? Suggestion{step.tool, keep_dumps(arguments), step.why}
                                 : suggest(step.tool, dump, step.why));
  }
  return next;
}

void write_suggestions(core::JsonWriter& json, const std::vector<Suggestion>& suggestions) {
  json.begin_array("next");
  for (const Suggestion& suggestion : suggestions) {
    json.begin_object();
    json.member("tool", suggestion.tool);
    json.begin_object("arguments");
    for (const auto& [name, value] : suggestion.arguments) {
      if (const auto* text = std::get_if<std::string>(&value)) json.member(name, *text);
      if (const auto* count = std::get_if<std::uint64_t>(&value)) json.member(name, *count);
      if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
        json.begin_array(name);
        for (const std::string& item : *list) json.string(item);
        json.end_array();
      }
    }
    json.end_object();
    json.member("why", suggestion.why);
    json.end_object();
  }
  json.end_array();
}

}  // namespace heapcheck::cli::mcp
