#include "graph/ephemerons.hpp"

#include <algorithm>
#include <charconv>

namespace heapcheck::graph {
namespace {

constexpr std::string_view digits = "0123456789";

/// Removes `@` and a number from the end of `text`. Returns whether they were there.
bool take_id(std::string_view& text) {
  const std::size_t last = text.find_last_not_of(digits);
  if (last == std::string_view::npos || last + 1 == text.size()) return false;
  if (!text.substr(0, last + 1).ends_with(" @")) return false;
  text.remove_suffix(text.size() - (last - 1));
  return true;
}

/// Whether `text` is a key and a value, such as `Object @5) -> value (Object @7`.
bool is_pair(std::string_view text) {
  constexpr std::string_view between = ") -> value (";
  if (!take_id(text)) return false;
  for (std::size_t at = text.find(between); at != std::string_view::npos; at = text.find(between, at + 1)) {
    std::string_view key = text.substr(0, at);
    if (take_id(key)) return true;
  }
  return false;
}

}  // namespace

std::optional<Ephemeron> parse_ephemeron(std::string_view name) {
  constexpr std::string_view begin = " / part of key (";
  constexpr std::string_view middle = ") pair in WeakMap (table @";
  const std::size_t number_end = std::min(name.find_first_not_of(digits), name.size());
  if (number_end == 0) return {};
  name.remove_prefix(number_end);
  const std::size_t table = name.rfind(middle);
  if (!name.starts_with(begin) || table == std::string_view::npos || table < begin.size()) return {};
  const std::string_view id = name.substr(table + middle.size());
  if (id.size() < 2 || id.find_first_not_of(digits) != id.size() - 1 || id.back() != ')') return {};
  if (!is_pair(name.substr(begin.size(), table - begin.size()))) return {};
  Ephemeron found{.entry = name, .table = 0};
  std::from_chars(id.data(), id.data() + id.size(), found.table);
  return found;
}

NodeSet find_ephemeron_names(const Graph& graph) {
  NodeSet found(graph.texts.count());
  for (std::size_t i = 0; i < graph.texts.count(); ++i) {
    const std::string_view text = graph.texts[i];
    const bool may_match = text.ends_with(')') && digits.contains(text.front());
    if (may_match && parse_ephemeron(text)) found.add(i);
  }
  return found;
}

}  // namespace heapcheck::graph
