#include "validate/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/core/text/glob.hpp"
#include "formats/core/text/nearest.hpp"
#include "validate/catalog.hpp"
#include "validate/grammar.hpp"

namespace heapcheck::validation {
namespace {

std::unexpected<Error> refuse(std::string_view found, std::string_view expected) {
  return std::unexpected(Error{ErrorKind::unsupported,
                               fmt::format("found {}, expected {}", core::make_excerpt(found), expected)});
}

/// The ids that contain the last part of the id that was typed.
std::string find_by_last_part(std::string_view id) {
  const std::string_view last = id.substr(id.rfind('.') == std::string_view::npos ? 0 : id.rfind('.') + 1);
  std::string ids;
  for (const Rule* rule : all_rules()) {
    if (last.size() < 3 || rule->id.find(last) == std::string_view::npos) continue;
    ids.append(ids.empty() ? "" : ", ").append(rule->id);
  }
  return ids;
}

/// The rules that match the pattern, except those about limits.
Result<std::vector<const Rule*>> find_choosable(std::string_view pattern) {
  std::vector<const Rule*> rules = find_rules(pattern);
  if (rules.empty())
    return refuse(pattern, "the id of a rule or a pattern that matches one" + suggest_rule(pattern));
  std::erase_if(rules, [](const Rule* rule) { return rule->stage == Stage::limit; });
  if (rules.empty()) return refuse(pattern, "other rules, because limits are always reported");
  return rules;
}

/// Calls `use` with the catalogue position of each of these rules, which are in catalogue order.
template <class Use>
void for_each_place(std::span<const Rule* const> rules, Use use) {
  std::size_t place = 0;
  for (const Rule* rule : rules) {
    while (all_rules()[place] != rule) ++place;
    use(place);
  }
}

/// For each rule in the catalogue, whether it matches the lists of patterns.
Result<std::vector<bool>> find_all(std::span<const std::string> lists) {
  std::vector<bool> all(all_rules().size());
  for (const std::string& list : lists) {
    const auto patterns = grammar::pattern_list(list);
    if (!patterns) return refuse(list, "patterns such as mvm3.toc.*, separated by commas");
    for (const std::string_view pattern : *patterns) {
      const auto rules = find_choosable(pattern);
      if (!rules) return std::unexpected(rules.error());
      for_each_place(*rules, [&all](std::size_t place) { all[place] = true; });
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
constexpr const Level& off = levels.back();

std::unexpected<Error> refuse_level(std::string_view name) {
  std::vector<std::string> names;
  for (const Level& level : levels) names.emplace_back(level.name);
  return refuse(name, core::join_words(names, "or") + core::suggest_word(names, name));
}

}  // namespace

std::vector<const Rule*> find_rules(std::string_view pattern) {
  std::vector<const Rule*> found;
  if (!grammar::pattern(pattern)) return found;
  for (const Rule* rule : all_rules()) {
    if (core::matches_glob(pattern, rule->id, '.')) found.push_back(rule);
  }
  return found;
}

std::string suggest_rule(std::string_view typed) {
  std::vector<std::string> ids;
  for (const Rule* rule : all_rules()) {
    for (std::size_t dot = rule->id.find('.'); dot < rule->id.size(); dot = rule->id.find('.', dot + 1))
      ids.emplace_back(rule->id.substr(0, dot));
    ids.emplace_back(rule->id);
  }
  // In a pattern, the most likely misspelling is in the part before `.*`.
  const std::string nearest = core::find_nearest(typed.substr(0, typed.find(".*")), ids);
  return core::did_you_mean(nearest.empty() ? find_by_last_part(typed) : nearest);
}

Result<Selection> Selection::make(std::span<const std::string> selected, std::span<const std::string> ignored,
                                  std::span<const std::string> severities, std::optional<Severity> hidden) {
  std::vector<const Level*> changed(all_rules().size());  // null for a rule that keeps its severity
  for (const std::string& list : severities) {
    const auto items = grammar::severity_list(list);
    if (!items) return refuse(list, "items such as mvm3.toc.*=warning, separated by commas");
    for (const auto& [pattern, name] : *items) {
      const auto rules = find_choosable(pattern);
      if (!rules) return std::unexpected(rules.error());
      const auto level = std::ranges::find(levels, name, &Level::name);
      if (level == levels.end()) return refuse_level(name);
      for_each_place(*rules, [&](std::size_t place) { changed[place] = &*level; });
    }
  }
  const auto chosen = find_all(selected);
  if (!chosen) return std::unexpected(chosen.error());
  const auto dropped = find_all(ignored);
  if (!dropped) return std::unexpected(dropped.error());
  Selection made;
  made.hidden_ = hidden;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const Rule& rule = *all_rules()[i];
    const bool is_chosen = selected.empty() || rule.stage == Stage::limit || (*chosen)[i];
    if (!is_chosen || (*dropped)[i]) changed[i] = &off;
    if (changed[i] != nullptr) made.changed_[rule.id] = changed[i]->severity;
  }
  return made;
}

}  // namespace heapcheck::validation
