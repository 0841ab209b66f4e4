// Findings of an event whose kind is not known yet: kept until it is, then passed on or forgotten.
// Borrows the sink behind it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/core/finding.hpp"

namespace heapcheck::chrome {

class EventFindings final : public core::FindingSink {
 public:
  explicit EventFindings(core::FindingSink& next) : next_(&next) {}

  void report(core::Finding finding) override { findings_.push_back(std::move(finding)); }
  void skip(core::Skip skip) override { skips_.push_back(std::move(skip)); }
  void report_more(const core::Rule& rule, std::uint64_t count) override { more_.emplace_back(&rule, count); }
  [[nodiscard]] std::uint64_t wanted(const core::Rule& rule) const override {
    const auto kept = static_cast<std::uint64_t>(std::ranges::count(findings_, &rule, &core::Finding::rule));
    const std::uint64_t wanted = next_->wanted(rule);
    return wanted > kept ? wanted - kept : 0;
  }

  /// Whether a limit is among them.
  [[nodiscard]] bool has_limit() const {
    return std::ranges::any_of(
        findings_, [](const core::Finding& finding) { return finding.rule->stage == core::Stage::limit; });
  }
  [[nodiscard]] bool has_any() const { return !findings_.empty() || !more_.empty(); }

  void pass_on() {
    for (core::Finding& finding : findings_) core::report_or_count(*next_, std::move(finding));
    for (core::Skip& skip : skips_) next_->skip(std::move(skip));
    for (const auto& [rule, count] : more_) next_->report_more(*rule, count);
    forget();
  }
  void forget() {
    findings_.clear();
    skips_.clear();
    more_.clear();
  }

 private:
  core::FindingSink* next_;
  std::vector<core::Finding> findings_;
  std::vector<core::Skip> skips_;
  std::vector<std::pair<const core::Rule*, std::uint64_t>> more_;
};

}  // namespace heapcheck::chrome
