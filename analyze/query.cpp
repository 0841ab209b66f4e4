#include "analyze/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyze/allocation_times.hpp"
#include "analyze/printed_name.hpp"
#include "formats/core/stop.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"
#include "graph/v8_nodes.hpp"

namespace heapcheck::analyze {
namespace {

std::string_view text_of(const Node& node, Field field) {
  switch (field) {
    case Field::type:
      return node.type_name();
    case Field::representation:
      return node.representation();
    case Field::kind:
      return node.kind().name;
    default:
      return node.name();
  }
}

/// The data, other than the nodes themselves, from which the numbers of nodes are read.
struct Numbers {
  std::span<const std::uint64_t> retained;
  std::span<const AllocationSample> samples;
};

/// Empty if the number is unknown.
std::optional<std::uint64_t> number_of(const Node& node, Field field, const Numbers& numbers) {
  if (field == Field::allocated) return find_allocation_time(node, numbers.samples);
  if (field == Field::retained) return numbers.retained[node.index()];
  return field == Field::id ? node.id() : node.size();
}

bool fits_text(std::string_view text, Comparison comparison, std::string_view wanted) {
  return comparison == Comparison::contains ? text.contains(wanted) : holds(comparison, text, wanted);
}

/// A condition, and whether its type means the functions with that name: all closures are of type
/// `(closure)`, so a query for the closures of one function would otherwise find nothing. Only if no node is
/// of such a type does the name of the function count, so that the answer is the same as that of `top` and of
/// `--fail-on`.
struct PreparedCondition {
  const Condition* condition;
  bool means_functions = false;
  std::optional<PrintedName> printed = {};  ///< if the text has a place and is not the name of any node
  std::optional<graph::NodeSet> held = {};  ///< for a condition on what holds nodes: the nodes that are held
};

bool fits(const Node& node, const PreparedCondition& prepared, const Numbers& numbers) {
  const Condition& condition = *prepared.condition;
  if (condition.field == Field::detached) return node.dom_state() == DomState::detached;
  if (prepared.held) return prepared.held->has(node.index()) == (condition.comparison == Comparison::equal);
  if (const auto* wanted = std::get_if<std::uint64_t>(&condition.value)) {
    const auto number = number_of(node, condition.field, numbers);
    return number && holds(condition.comparison, *number, *wanted);
  }
  const std::string_view text =
      prepared.means_functions && graph::is_closure(node) ? node.name() : text_of(node, condition.field);
  if (prepared.printed) return prepared.printed->fits(node, text);
  return fits_text(text, condition.comparison, std::get<std::string>(condition.value));
}

PreparedCondition prepare_functions(const Graph& graph, const Condition& condition) {
  const bool may_mean = condition.field == Field::type && (condition.comparison == Comparison::equal ||
                                                           condition.comparison == Comparison::contains);
  if (!may_mean) return {&condition};
  const std::string_view wanted = std::get<std::string>(condition.value);
  return {&condition, std::ranges::none_of(graph.nodes(), [&](const Node& node) {
            return fits_text(node.type_name(), condition.comparison, wanted);
          })};
}

PreparedCondition prepare(const Graph& graph, const Condition& condition) {
  if (const auto* holder = std::get_if<graph::HeldBy>(&condition.value))
    return {.condition = &condition, .held = graph::find_held(graph, *holder)};
  PreparedCondition prepared = prepare_functions(graph, condition);
  const auto* const wanted = std::get_if<std::string>(&condition.value);
  if (wanted == nullptr || condition.comparison != Comparison::equal) return prepared;
  PrintedName printed(graph, *wanted);
  const auto has_name = [&](const Node& node) { return fits(node, prepared, {}); };
  if (!printed.has_place() || std::ranges::any_of(graph.nodes(), has_name)) return prepared;
  prepared.printed = std::move(printed);
  // A class and its constructor have the same name and place.
  const bool may_mean = std::exchange(prepared.means_functions, false);
  prepared.means_functions = may_mean && std::ranges::none_of(graph.nodes(), has_name);
  return prepared;
}

/// The word for a field in queries.
std::string_view name_of(Field field) {
  switch (field) {
    case Field::type:
      return "type";
    case Field::representation:
      return "repr";
    case Field::kind:
      return "kind";
    default:
      return "name";
  }
}

/// A suggestion for a string that does not occur in a field of any node. Strings that are too long for a name
/// are left out, because comparing them takes time.
std::string suggest_text(const Graph& graph, Field field, std::string_view wanted) {
  constexpr std::size_t most_bytes = 200;
  std::set<std::string_view> texts;
  for (const Node& node : graph.nodes()) {
    const bool is_function = field == Field::type && graph::is_closure(node);
    const std::string_view text = is_function ? node.name() : text_of(node, field);
    if (text.size() <= most_bytes) texts.insert(text);
  }
  const std::vector<std::string> words(texts.begin(), texts.end());
  const std::string nearest = core::find_nearest(wanted, words);
  return nearest.empty() ? std::string() : core::did_you_mean(core::make_excerpt(nearest));
}

/// What to write instead if the text is not a type, but the name of nodes. Answers print the names of nodes
/// that V8 uses itself, although their type is one such as `(system)`.
std::string suggest_name(const Graph& graph, const std::string& wanted) {
  const Condition by_name{.field = Field::name, .comparison = Comparison::equal, .value = wanted};
  const PreparedCondition prepared = prepare(graph, by_name);
  std::set<std::string> types;
  for (const Node& node : graph.nodes()) {
    if (fits(node, prepared, {})) types.insert(core::make_excerpt(node.type_name()));
  }
  if (types.empty()) return {};
  return fmt::format(
      "; nodes with this name are of the {} {}: use name=", types.size() == 1 ? "type" : "types",
      core::join_words(std::vector(types.begin(), types.end()), "and"));
}

}  // namespace

bool uses(const Query& query, Field field) {
  return query.order == field ||
         std::ranges::any_of(query.conditions, [field](const Condition& c) { return c.field == field; });
}

Result<void> check_texts(const Graph& graph, const Query& query) {
  for (const Condition& condition : query.conditions) {
    if (condition.comparison != Comparison::equal) continue;
    if (!std::holds_alternative<std::string>(condition.value)) continue;
    const PreparedCondition prepared = prepare(graph, condition);
    if (std::ranges::any_of(graph.nodes(), [&](const Node& node) { return fits(node, prepared, {}); }))
      continue;
    const auto& wanted = std::get<std::string>(condition.value);
    std::string suggestion = condition.field == Field::type ? suggest_name(graph, wanted) : std::string();
    if (suggestion.empty()) suggestion = suggest_text(graph, condition.field, wanted);
    return std::unexpected(
        Error{ErrorKind::unsupported,
              fmt::format("found no {} \"{}\", expected one that the snapshot has{}",
                          name_of(condition.field), core::make_excerpt(wanted), suggestion)});
  }
  return {};
}

std::vector<std::uint32_t> find_nodes(const Graph& graph, const Query& query,
                                      std::span<const std::uint64_t> retained) {
  const Numbers numbers{.retained = retained, .samples = graph.samples};
  std::vector<PreparedCondition> conditions;
  for (const Condition& condition : query.conditions) conditions.push_back(prepare(graph, condition));
  core::check_stop();
  std::vector<std::uint32_t> found;
  for (const Node& node : graph.nodes()) {
    if (query.group && node.kind().group != *query.group) continue;
    if (std::ranges::all_of(conditions, [&](const PreparedCondition& c) { return fits(node, c, numbers); }))
      found.push_back(node.index());
  }
  core::check_stop();
  if (query.order) {
    std::vector<std::pair<std::optional<std::uint64_t>, std::uint32_t>> keyed;
    keyed.reserve(found.size());
    for (const std::uint32_t node : found)
      keyed.emplace_back(number_of(graph.node(node), *query.order, numbers), node);
    std::ranges::sort(keyed, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = keyed[i].second;
  }
  return found;
}

}  // namespace heapcheck::analyze
