#include "analyze/printed_name.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "analyze/answers/write.hpp"
#include "analyze/totals.hpp"

namespace heapcheck::analyze {
namespace {

/// The text before the place, if the text ends with it.
std::optional<std::string_view> find_name_before(std::string_view text, const Place& place) {
  const std::string ending = answers::show_place_after(place);
  if (ending.empty() || !text.ends_with(ending)) return std::nullopt;
  return text.substr(0, text.size() - ending.size());
}

bool is_name(std::string_view printed, std::string_view name) {
  return printed == (name.empty() ? "<anon>" : name);
}

}  // namespace

bool is_printed_as(std::string_view text, std::string_view name, const Place& place) {
  const auto printed = find_name_before(text, place);
  return printed && is_name(*printed, name);
}

PrintedName::PrintedName(const Graph& graph, std::string_view text) {
  if (!text.ends_with(')')) return;
  for (const SourcePlace& place : graph.source_places) {
    if (const auto name = find_name_before(text, place_of(graph, &place)))
      endings_.push_back({&place, *name});
  }
}

bool PrintedName::fits(const Node& node, std::string_view name) const {
  const SourcePlace* const place = node.place();
  const auto ending = std::ranges::lower_bound(endings_, place, std::less<>(), &Ending::place);
  return place != nullptr && ending != endings_.end() && ending->place == place &&
         is_name(ending->name, name);
}

}  // namespace heapcheck::analyze
