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
  bool is_by_type = false;  ///< for `dominators`
};

constexpr NodeStep node_steps[] = {
    {"suspects", "path", "shows the shortest path from the root to the first suspect, with places"},
    {"suspects", "dominators", "shows what the first suspect consists of, with places", true},
    {"suspects", "show", "shows the first suspect with its edges"},
    {"leaks", "path", "shows the shortest path from the root to a node of the first leak, with places"},
    {"leaks", "dominators", "shows what this node of the first leak consists of, with places", true},
    {"leaks", "show", "shows this node with its edges"},
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

/// A fact of an answer; null if it does not have it, or if it is of another type.
template <class T>
const T* find_fact(const Answer& answer, std::string_view key) {
  const auto fact = std::ranges::find(answer.facts, key, &std::pair<std::string_view, Cell>::first);
  return fact == answer.facts.end() ? nullptr : std::get_if<T>(&fact->second);
}

/// The node of an answer that is worth a look: the first one, except that the last one of a path is meant,
/// and the first row of a tree is its top.
std::optional<std::uint64_t> choose_node(std::string_view tool, const Answer& answer) {
  if (tool == "show") {
    const auto* const id = find_fact<std::uint64_t>(answer, "id");
    return id == nullptr ? std::nullopt : std::optional(*id);
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

/// Whether the dump has no snapshots about which questions could be asked.
bool is_empty(const OpenDump& dump) { return has_graph(dump) && dump.snapshot_count == 0; }

/// Earlier dumps of the same format, oldest first.
std::vector<const OpenDump*> find_earlier(const OpenDump& dump,
                                          const std::vector<std::unique_ptr<OpenDump>>& dumps) {
  std::vector<const OpenDump*> earlier;
  for (const auto& other : dumps) {
    if (other.get() == &dump) break;
    if (!other->obstacle && other->format == dump.format && other->path != dump.path && !is_empty(*other))
      earlier.push_back(other.get());
  }
  return earlier;
}

/// Why to ask for the suspects of a dump that was just opened.
std::string_view explain_suspects(const OpenDump& dump, bool has_earlier) {
  if (dump.snapshot) return "shows what to look at first in the chosen snapshot alone";
  if (dump.snapshot_count > 1) return "shows what grew from the first snapshot to the last";
  return has_earlier ? "shows what to look at first in this dump alone"
                     : "shows what to look at first; open a later dump first, if there is one";
}

Suggestion suggest_recovery(const OpenDump& dump) {
  return {.tool = "recover",
          .arguments = {{"dump", dump.id}, {"output", dump.path + ".recovered"}},
          .why = "writes the intact parts to a new file, about which questions can be asked"};
}

std::vector<Suggestion> suggest_for_damaged(const OpenDump& dump) {
  std::vector<Suggestion> next = {suggest("validate", dump, "lists what is wrong with the file, and where"),
                                  suggest_recovery(dump)};
  if (dump.snapshot_count != 0 && family_of(dump.format) == Family::mvmheap) {
    next.push_back(suggest("suspects", dump, "answers from the snapshots that are intact"));
    next.back().arguments["force"] = true;
  }
  return next;
}

/// Those of the arguments that name dumps.
OptionValues keep_dumps(const OptionValues& arguments) {
  OptionValues dumps;
  for (const auto& [name, value] : arguments) {
    if (name == "dump" || name == "later") dumps.emplace(name, value);
  }
  return dumps;
}

/// To ask for suspects with smaller shares, unless these have been asked for.
void add_smaller(const OptionValues& arguments, std::vector<Suggestion>& next) {
  constexpr std::uint64_t small_share = 5;
  const auto share = arguments.find("share");
  if (share != arguments.end() && std::get<std::uint64_t>(share->second) <= small_share) return;
  next.push_back({"suspects", keep_dumps(arguments), "also shows what retains a smaller share"});
  next.back().arguments["share"] = small_share;
}

/// What to ask if nothing retains a large share: for smaller shares.
std::vector<Suggestion> suggest_smaller(const OptionValues& arguments) {
  std::vector<Suggestion> next;
  add_smaller(arguments, next);
  next.push_back(
      {"leaks", keep_dumps(arguments), "groups what is new, or large, by the paths that lead to it"});
  return next;
}

/// What to ask about the nodes that a query finds. Longer queries would take too much room.
void add_about_query(std::string_view tool, const OpenDump& dump, const OptionValues& arguments,
                     std::vector<Suggestion>& next) {
  constexpr std::size_t most_bytes = 200;
  const auto query = arguments.find("query");
  if (query == arguments.end()) return;
  const auto& text = std::get<std::string>(query->second);
  if (text.size() > most_bytes) return;
  if (tool == "count") {
    next.push_back(suggest("find", dump, "lists these nodes"));
    next.back().arguments["query"] = text;
  }
  next.push_back(suggest("path", dump, "shows the paths to all of these nodes as one tree"));
  next.back().arguments["id"] = text;
  next.back().arguments["merged"] = true;
}

std::vector<Suggestion> suggest_about_stacks(std::string_view tool, const OpenDump& dump) {
  if (tool == "tree") return {suggest("top", dump, "counts the memory by function, without the callers")};
  return {suggest("tree", dump, "shows the call stacks")};
}

void write_argument(core::JsonWriter& json, std::string_view name, const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) json.member(name, *text);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) json.member(name, *count);
  if (const auto* flag = std::get_if<bool>(&value)) json.member(name, *flag);
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr) return;
  json.begin_array(name);
  for (const std::string& item : *list) json.string(item);
  json.end_array();
}

/// Whether a value would take too much room. The ids of all dumps that a call can name do not.
bool is_long(const OptionValue& value) {
  constexpr std::size_t most_bytes = 500;
  std::string text;
  core::JsonWriter json(text, core::JsonLayout::line);
  json.begin_object();
  write_argument(json, "", value);
  json.end_object();
  return text.size() > most_bytes;
}

}  // namespace

std::vector<Suggestion> suggest_for_dump(const OpenDump& dump,
                                         const std::vector<std::unique_ptr<OpenDump>>& dumps) {
  if (dump.obstacle) return suggest_for_damaged(dump);
  if (is_empty(dump)) return {};
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
                                 ? "if both are of one process: shows what grew, and where it is held"
                                 : "if both are of one process: groups what is new by the paths to it"});
  }
  next.push_back(suggest("suspects", dump, explain_suspects(dump, !earlier.empty())));
  next.push_back(suggest("top", dump, "counts the memory by type"));
  return next;
}

std::vector<Suggestion> suggest_after(std::string_view tool, const OpenDump& dump,
                                      const OptionValues& arguments, const Answer& answer) {
  if (tool == "validate")
    return dump.obstacle ? std::vector{suggest_recovery(dump)} : std::vector<Suggestion>();
  if (!has_graph(dump)) return suggest_about_stacks(tool, dump);
  if (is_empty(dump)) return {};
  if (tool == "suspects" && answer.table.rows.empty()) return suggest_smaller(arguments);
  std::vector<Suggestion> next;
  const auto* const doubt = find_fact<std::string>(answer, "doubt");
  if (arguments.contains("later") && doubt != nullptr && *doubt == "other process")
    next.push_back(suggest("suspects", dump, "looks at the last dump alone, as it is of another process"));
  const auto node = choose_node(tool, answer);
  for (const NodeStep& step : node_steps) {
    if (step.after != tool || !node) continue;
    Suggestion suggestion = suggest(step.tool, dump, step.why);
    suggestion.arguments["id"] = fmt::to_string(*node);
    if (step.is_by_type) suggestion.arguments["by-type"] = true;
    next.push_back(std::move(suggestion));
  }
  if (tool == "dominators" && !arguments.contains("by-type") && !answer.table.rows.empty()) {
    next.push_back(suggest(tool, dump, "groups these nodes by type"));
    const auto top = find_id_in(answer.table, answer.table.rows.front());
    if (arguments.contains("id") && top) next.back().arguments["id"] = fmt::to_string(*top);
    next.back().arguments["by-type"] = true;
  }
  const auto* const smaller = find_fact<std::uint64_t>(answer, "smaller");
  if (tool == "suspects" && smaller != nullptr && *smaller != 0) add_smaller(arguments, next);
  add_about_query(tool, dump, arguments, next);
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
      if (!is_long(value)) write_argument(json, name, value);
    }
    json.end_object();
    json.member("why", suggestion.why);
    json.end_object();
  }
  json.end_array();
}

}  // namespace heapcheck::cli::mcp
