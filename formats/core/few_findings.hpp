// Reports a few violations of one rule one by one. Many have one cause, such as misaligned values, so only
// the first of them is reported, with their number. Borrows the sink and the rule.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::core {

/// More violations than this are taken to have one cause.
inline constexpr std::uint64_t few_violations = 3;

class FewFindings {
 public:
  FewFindings(FindingSink& sink, const Rule& rule) : sink_(&sink), rule_(&rule) {}

  /// Adds the finding that `make` returns. Calls `make` only if the finding may be reported in detail.
  template <class Make>
  void add(const Make& make) {
    if (++count_ <= few_violations && findings_.size() < sink_->wanted(*rule_)) findings_.push_back(make());
  }

  /// Reports what was added. Must be called once, after the last addition.
  void report() {
    const bool has_one_cause = count_ > few_violations;
    if (has_one_cause && !findings_.empty()) {
      findings_.resize(1);
      findings_[0].message += "; found " + std::to_string(count_) + " such values";
    }
    const std::uint64_t all = has_one_cause ? 1 : count_;
    if (all > findings_.size()) sink_->report_more(*rule_, all - findings_.size());
    for (Finding& finding : findings_) report_or_count(*sink_, std::move(finding));
  }

 private:
  FindingSink* sink_;
  const Rule* rule_;
  std::vector<Finding> findings_;
  std::uint64_t count_ = 0;
};

}  // namespace heapcheck::core
