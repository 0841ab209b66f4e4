#include "validate/collector.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "formats/core/counted.hpp"

namespace heapcheck::validation {

const Rule* Collector::raise(const Rule* rule) const {
  const auto found = std::ranges::find(raised_, rule, &SeverityOverride::from);
  return found == raised_.end() ? rule : found->to;
}

void Collector::report(Finding finding) {
  finding.rule = raise(finding.rule);
  if (finding.rule->stage == Stage::limit) limit_ = finding.message;
  Count& count = counts_[finding.rule->id];
  count.rule = finding.rule;
  if (count.kept >= max_per_rule_) {
    ++count.more;
    return;
  }
  ++count.kept;
  findings_.push_back(std::move(finding));
}

void Collector::report_more(const Rule& rule, std::uint64_t count) {
  Count& entry = counts_[rule.id];
  entry.rule = raise(&rule);
  entry.more += count;
}

void Collector::skip(Skip skip) {
  if (skips_.size() < max_per_rule_) {
    skips_.push_back(std::move(skip));
  } else {
    ++more_skips_;
  }
}

void Collector::keep_only(const Rule& cause) {
  std::erase_if(findings_, [&](const Finding& finding) { return finding.rule != &cause; });
  std::erase_if(counts_, [&](const auto& count) { return count.second.rule != &cause; });
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
  const std::uint64_t kept = found == counts_.end() ? 0 : found->second.kept;
  return max_per_rule_ - std::min(kept, max_per_rule_);
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
    if (count.more != 0) list.push_back({count.rule, count.more});
  }
  return list;
}

}  // namespace heapcheck::validation
