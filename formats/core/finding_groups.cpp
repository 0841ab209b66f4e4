#include "formats/core/finding_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::core {

void count_found(Finding& finding, const ViolationGroup& group) {
  finding.message += fmt::format("; found {} such values", group.count);
}

CountViolations count_wrong(std::string_view things) {
  return [things](Finding& finding, const ViolationGroup& group) {
    finding.message += fmt::format("; {} {} are wrong", group.count, things);
  };
}

bool FindingGroups::begin(const Rule& rule, std::uint64_t index) {
  // If there is no limit, later violations cannot change a group, and there may be too many groups to keep.
  if (grouping_.few == Grouping::unlimited) report();
  if (pending_.size() == grouping_.few) {
    is_one_ = true;
    for (std::size_t i = 1; i < pending_.size(); ++i) pending_[0].group.count += pending_[i].group.count;
    pending_.resize(1);
    return false;
  }
  const auto made = std::ranges::count_if(
      pending_, [&rule](const Pending& pending) { return pending.finding && pending.group.rule == &rule; });
  pending_.push_back({{&rule, index}, std::nullopt});
  return sink_->wanted(rule) > static_cast<std::uint64_t>(made);
}

void FindingGroups::report() {
  for (auto& [group, finding] : pending_) {
    if (!finding) {
      sink_->report_more(*group.rule, 1);
      continue;
    }
    if (group.count > 1) grouping_.add_count(*finding, group);
    report_or_count(*sink_, std::move(*finding));
  }
  pending_.clear();
  is_one_ = false;
}

}  // namespace heapcheck::core
