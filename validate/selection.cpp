#include "validate/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "formats/core/text/excerpt.hpp"
#include "validate/catalog.hpp"
#include "validate/grammar.hpp"

namespace heapcheck::validation {
namespace {

bool is_in_set(std::string_view set, char c) {
  set = set.substr(1, set.size() - 2);
  const bool is_negated = set.starts_with('!');
  if (is_negated) set.remove_prefix(1);
  const auto items = grammar::set_items(set);
  const bool is_in = items && std::ranges::any_of(*items, [c](std::string_view item) {
                       const auto value = [](char letter) { return static_cast<unsigned char>(letter); };
                       return value(item.front()) <= value(c) && value(c) <= value(item.back());
                     });
  return is_in != is_negated;
}

/// Whether the piece stands for the character; `*` is not for this function.
bool accepts(grammar::PatternPiece piece, char c) {
  if (piece == "?") return true;
  return piece.size() > 1 ? is_in_set(piece, c) : piece.front() == c;
}

/// Takes time proportional to the product of the lengths: after a mismatch, only the last `*` is extended.
bool matches(std::span<const grammar::PatternPiece> pattern, std::string_view id) {
  std::size_t piece = 0;
  std::size_t at = 0;
  std::optional<std::size_t> star;  // the piece after the last `*`
  std::size_t star_end = 0;
  while (at < id.size()) {
    if (piece < pattern.size() && pattern[piece] == "*") {
      star = ++piece;
      star_end = at;
    } else if (piece < pattern.size() && accepts(pattern[piece], id[at])) {
      ++piece;
      ++at;
    } else if (star) {
      piece = *star;
      at = ++star_end;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.subspan(piece), [](auto rest) { return rest == "*"; });
}

/// Whether the id, or the start of it up to a dot, matches.
bool matches_start(std::span<const grammar::PatternPiece> pattern, std::string_view id) {
  for (std::size_t dot = id.find('.'); dot != std::string_view::npos; dot = id.find('.', dot + 1)) {
    if (matches(pattern, id.substr(0, dot))) return true;
  }
  return matches(pattern, id);
}

std::unexpected<Error> refuse(std::string_view found, std::string_view expected) {
  return std::unexpected(Error{ErrorKind::unsupported,
                               fmt::format("found {}, expected {}", core::make_excerpt(found), expected)});
}

/// The rules that the pattern stands for, without those about limits.
Result<std::vector<const Rule*>> find_choosable(std::string_view pattern) {
  std::vector<const Rule*> rules = find_rules(pattern);
  if (rules.empty()) return refuse(pattern, "the id of a rule or a pattern that matches one");
  std::erase_if(rules, [](const Rule* rule) { return rule->stage == Stage::limit; });
  if (rules.empty()) return refuse(pattern, "rules that are not about limits, which are always reported");
  return rules;
}

/// All rules that the lists of patterns stand for.
Result<std::set<const Rule*>> find_all(std::span<const std::string> lists) {
  std::set<const Rule*> all;
  for (const std::string& list : lists) {
    const auto patterns = grammar::pattern_list(list);
    if (!patterns) return refuse(list, "patterns such as mvm3.toc.*, separated by commas");
    for (const std::string_view pattern : *patterns) {
      const auto rules = find_choosable(pattern);
      if (!rules) return std::unexpected(rules.error());
      all.insert(rules->begin(), rules->end());
    }
  }
  return all;
}

struct Level {
  std::string_view name;
  std::optional<Severity> severity;  // empty: not reported
};

constexpr std::array<Level, 4> levels{{{"error", Severity::error},
                                       {"warning", Severity::warning},
                                       {"note", Severity::note},
                                       {"off", std::nullopt}}};

}  // namespace

std::vector<const Rule*> find_rules(std::string_view pattern) {
  std::vector<const Rule*> found;
  const auto pieces = grammar::pattern(pattern);
  if (!pieces) return found;
  for (const Rule* rule : all_rules()) {
    if (matches_start(*pieces, rule->id)) found.push_back(rule);
  }
  return found;
}

Result<Selection> Selection::make(std::span<const std::string> selected, std::span<const std::string> ignored,
                                  std::span<const std::string> severities) {
  Selection made;
  for (const std::string& list : severities) {
    const auto items = grammar::severity_list(list);
    if (!items) return refuse(list, "items such as mvm3.toc.*=warning, separated by commas");
    for (const auto& [pattern, level] : *items) {
      const auto rules = find_choosable(pattern);
      if (!rules) return std::unexpected(rules.error());
      const auto* const known = std::ranges::find(levels, level, &Level::name);
      if (known == levels.end()) return refuse(level, "error, warning, note or off");
      for (const Rule* rule : *rules) made.changed_[rule->id] = known->severity;
    }
  }
  const auto chosen = find_all(selected);
  if (!chosen) return std::unexpected(chosen.error());
  const auto dropped = find_all(ignored);
  if (!dropped) return std::unexpected(dropped.error());
  for (const Rule* rule : all_rules()) {
    const bool is_chosen = selected.empty() || rule->stage == Stage::limit || chosen->contains(rule);
    if (!is_chosen || dropped->contains(rule)) made.changed_[rule->id] = std::nullopt;
  }
  return made;
}

}  // namespace heapcheck::validation
