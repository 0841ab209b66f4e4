#include "validate/collector.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "formats/core/text/counted.hpp"

namespace heapcheck::validation {

const Rule* Collector::raise(const Rule* rule) const {
  const auto found = std::ranges::find(raised_, rule, &SeverityOverride::from);
  return found == raised_.end() ? rule : found->to;
}

Collector::Count& Collector::count_of(const Rule* rule) {
  Count& count = counts_[rule->id];
  if (count.found == nullptr) {
    count.found = raise(rule);
    count.rule = selection_.apply(count.found);
  }
  return count;
}

void Collector::report(Finding finding) {
  if (finding.rule->stage == Stage::limit) limit_ = finding.message;
  Count& count = count_of(finding.rule);
  if (count.rule == nullptr || count.kept >= max_per_rule_) {
    ++count.more;
    return;
  }
  finding.rule = count.rule;
  ++count.kept;
  findings_.push_back(std::move(finding));
}

void Collector::report_more(const Rule& rule, std::uint64_t count) { count_of(&rule).more += count; }

void Collector::skip(Skip skip) {
  if (skips_.size() < max_per_rule_) {
    skips_.push_back(std::move(skip));
  } else {
    ++more_skips_;
  }
}

void Collector::keep_only(const Rule& cause) {
  std::erase_if(findings_, [&](const Finding& finding) { return finding.rule->id != cause.id; });
  std::erase_if(counts_, [&](const auto& count) { return count.first != cause.id; });
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
  const auto found = counts_.find(rule.id);
  if (found == counts_.end()) return selection_.apply(&rule) == nullptr ? 0 : max_per_rule_;
  const Count& count = found->second;
  return count.rule == nullptr ? 0 : max_per_rule_ - std::min(count.kept, max_per_rule_);
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
  std::vector<More> list;
  for (const auto& [id, count] : counts_) {
    if (count.more != 0 && count.rule != nullptr) list.push_back({count.rule, count.more});
  }
  return list;
}

std::uint64_t Collector::count_ignored() const {
  std::uint64_t total = 0;
  for (const auto& [id, count] : counts_) {
    if (count.rule == nullptr) total += count.more;
  }
  return total;
}

bool Collector::is_well_formed() const {
  return std::ranges::none_of(counts_, [](const auto& entry) {
    const auto& [id, count] = entry;
    const bool is_any = count.kept != 0 || count.more != 0;
    return is_any && count.found->stage == Stage::read && count.found->severity == Severity::error;
  });
}

}  // namespace heapcheck::validation
