#include "validate/collector.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "formats/core/text/counted.hpp"

namespace heapcheck::validation {

Collector::Count Collector::make_count(const Rule& rule) const {
  const auto raised = std::ranges::find(raised_, &rule, &RaisedRule::from);
  const Rule& reported = raised == raised_.end() ? rule : *raised->to;
  return {.rule = &reported, .severity = selection_.severity_of(reported)};
}

Collector::Count& Collector::count_of(const Rule& rule) {
  const auto found = counts_.find(&rule);
  return found != counts_.end() ? found->second : counts_.emplace(&rule, make_count(rule)).first->second;
}

void Collector::report(Finding finding) {
  if (finding.rule->stage == Stage::limit) limit_ = finding.message;
  Count& count = count_of(*finding.rule);
  if (!count.severity || count.kept >= max_per_rule_) {
    ++count.more;
    return;
  }
  finding.rule = count.rule;
  finding.severity = *count.severity;
  ++count.kept;
  findings_.push_back(std::move(finding));
}

void Collector::report_more(const Rule& rule, std::uint64_t count) { count_of(rule).more += count; }

void Collector::skip(Skip skip) {
  if (skips_.size() < max_per_rule_) {
    skips_.push_back(std::move(skip));
  } else {
    ++more_skips_;
  }
}

void Collector::keep_only(const Rule& cause) {
  std::erase_if(findings_, [&](const Finding& finding) { return finding.rule != &cause; });
  std::erase_if(counts_, [&](const auto& count) { return count.first != &cause; });
  skips_.clear();
  more_skips_ = 0;
  skip({"", "the content, because it may be wrong"});
}

std::vector<Skip> Collector::take_skips() {
  if (more_skips_ != 0) skips_.push_back({"", core::counted(more_skips_, "further part")});
  more_skips_ = 0;
  return std::exchange(skips_, {});
}

std::uint64_t Collector::wanted(const Rule& rule) const {
  const auto found = counts_.find(&rule);
  const Count count = found == counts_.end() ? make_count(rule) : found->second;
  return count.severity ? max_per_rule_ - std::min(count.kept, max_per_rule_) : 0;
}

std::vector<Finding> Collector::take_findings() {
  const auto key = [](const Finding& finding) {
    const Location& at = finding.location;
    return std::tuple(at.file.offset, at.content ? at.content->offset : 0, finding.rule->id,
                      std::string_view(at.path));
  };
  std::vector<std::size_t> order(findings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(key(findings_[a]), a) < std::pair(key(findings_[b]), b);
  });
  std::vector<Finding> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(findings_[i]));
  findings_.clear();
  return sorted;
}

std::vector<More> Collector::more() const {
  std::vector<std::pair<std::string_view, More>> by_id;
  for (const auto& [raised, count] : counts_) {
    if (count.more == 0 || !count.severity) continue;
    by_id.push_back({raised->id, {.rule = count.rule, .count = count.more, .severity = *count.severity}});
  }
  std::ranges::sort(by_id, {}, [](const auto& entry) { return entry.first; });
  std::vector<More> list;
  for (const auto& [id, more] : by_id) list.push_back(more);
  return list;
}

std::uint64_t Collector::count_ignored() const {
  std::uint64_t total = 0;
  for (const auto& [raised, count] : counts_) {
    if (!count.severity) total += count.more;
  }
  return total;
}

bool Collector::is_well_formed() const {
  return std::ranges::none_of(counts_, [](const auto& entry) {
    const auto& [raised, count] = entry;
    const bool is_any = count.kept != 0 || count.more != 0;
    return is_any && count.rule->stage == Stage::read && count.rule->severity == Severity::error;
  });
}

}  // namespace heapcheck::validation
