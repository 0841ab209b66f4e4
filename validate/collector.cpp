#include "validate/collector.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heapcheck::validate {

void Collector::report(core::Finding finding) {
  Count& count = counts_[finding.rule->id];
  count.rule = finding.rule;
  if (count.kept >= max_per_rule_) {
    ++count.more;
    return;
  }
  ++count.kept;
  findings_.push_back(std::move(finding));
}

void Collector::report_more(const core::Rule& rule, std::uint64_t count) {
  Count& entry = counts_[rule.id];
  entry.rule = &rule;
  entry.more += count;
}

std::uint64_t Collector::wanted(const core::Rule& rule) const {
  const auto found = counts_.find(rule.id);
  const std::uint64_t kept = found == counts_.end() ? 0 : found->second.kept;
  return max_per_rule_ - std::min(kept, max_per_rule_);
}

std::vector<core::Finding> Collector::take_findings() {
  const auto key = [](const core::Finding& finding) {
    const core::Location& at = finding.location;
    return std::tuple(at.file.offset, at.content ? at.content->offset : 0, finding.rule->id,
                      std::string_view(at.path));
  };
  std::ranges::stable_sort(findings_, [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return std::exchange(findings_, {});
}

std::vector<More> Collector::more() const {
  std::vector<More> list;
  for (const auto& [id, count] : counts_) {
    if (count.more != 0) list.push_back({count.rule, count.more});
  }
  return list;
}

}  // namespace heapcheck::validate
