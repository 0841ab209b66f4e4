#include "analyze/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "analyze/allocation_times.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/nearest.hpp"

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

/// What the numbers of nodes are read from, apart from the nodes.
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

/// All closures are of the type `(closure)`, so that people would ask for those of one function in vain. The
/// name of the function therefore counts as a type, too.
bool fits(const Node& node, const Condition& condition, const Numbers& numbers) {
  if (const auto* wanted = std::get_if<std::uint64_t>(&condition.value)) {
    const auto number = number_of(node, condition.field, numbers);
    return number && holds(condition.comparison, *number, *wanted);
  }
  const std::string_view wanted = std::get<std::string>(condition.value);
  const bool fits_itself = fits_text(text_of(node, condition.field), condition.comparison, wanted);
  if (condition.field != Field::type || node.kind().name != "closure") return fits_itself;
  const bool fits_name = fits_text(node.name(), condition.comparison, wanted);
  return condition.comparison == Comparison::not_equal ? fits_itself && fits_name : fits_itself || fits_name;
}

/// The word for a field in queries.
std::string_view name_of(Field field) {
  switch (field) {
    case Field::type:
      return "type";
    case Field::representation:
      return "representation";
    case Field::kind:
      return "kind";
    default:
      return "name";
  }
}

/// A suggestion for a text that does not occur in a field of any node. Texts that are too long for a name are
/// left out, because comparing them takes time.
std::string suggest_text(const Graph& graph, Field field, std::string_view wanted) {
  constexpr std::size_t most_bytes = 200;
  std::set<std::string_view> texts;
  for (const Node& node : graph.nodes()) {
    const bool is_function = field == Field::type && node.kind().name == "closure";
    const std::string_view text = is_function ? node.name() : text_of(node, field);
    if (text.size() <= most_bytes) texts.insert(text);
  }
  const std::vector<std::string> words(texts.begin(), texts.end());
  const std::string nearest = core::find_nearest(wanted, words);
  return nearest.empty() ? std::string() : core::did_you_mean(core::make_excerpt(nearest));
}

}  // namespace

Result<void> check_texts(const Graph& graph, const Query& query) {
  for (const Condition& condition : query.conditions) {
    if (condition.comparison != Comparison::equal) continue;
    if (!std::holds_alternative<std::string>(condition.value)) continue;
    if (std::ranges::any_of(graph.nodes(), [&](const Node& node) { return fits(node, condition, {}); }))
      continue;
    const std::string& wanted = std::get<std::string>(condition.value);
    const std::string_view field = name_of(condition.field);
    return std::unexpected(
        Error{ErrorKind::unsupported,
              fmt::format("found no {} \"{}\", expected one that the snapshot has{}", field,
                          core::make_excerpt(wanted), suggest_text(graph, condition.field, wanted))});
  }
  return {};
}

std::vector<std::uint32_t> find_nodes(const Graph& graph, const Query& query,
                                      std::span<const std::uint64_t> retained) {
  const Numbers numbers{.retained = retained, .samples = graph.samples};
  std::vector<std::uint32_t> found;
  for (const Node& node : graph.nodes()) {
    if (query.group && node.kind().group != *query.group) continue;
    if (std::ranges::all_of(query.conditions, [&](const Condition& c) { return fits(node, c, numbers); }))
      found.push_back(node.index());
  }
  if (query.order) {
    const auto key = [&](std::uint32_t node) { return number_of(graph.node(node), *query.order, numbers); };
    std::ranges::sort(
        found, [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
  }
  return found;
}

}  // namespace heapcheck::analyze
