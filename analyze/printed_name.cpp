#include "analyze/printed_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

#include "analyze/totals.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/source_path.hpp"

namespace heapcheck::analyze {
namespace {

/// The text before the place, if the text ends with it.
std::optional<std::string_view> find_name_before(std::string_view text, const Place& place) {
  const std::string ending = show_place_after(place);
  if (ending.empty() || !text.ends_with(ending)) return std::nullopt;
  return text.substr(0, text.size() - ending.size());
}

bool is_name(std::string_view printed, std::string_view name) {
  return printed == (name.empty() ? "<anon>" : name);
}

}  // namespace

std::string show_place(const Place& place) {
  constexpr std::size_t most_bytes = 80;
  const std::string_view file = core::is_absolute(place.file) ? core::last_parts(place.file, 2) : place.file;
  const std::string shown = file.empty() ? "?" : core::shorten(file, most_bytes);
  return place.line == 0 ? shown : fmt::format("{}:{}", shown, place.line);
}

std::string show_place_after(const Place& place) {
  return place.is_known() ? fmt::format(" ({})", show_place(place)) : std::string();
}

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
