// A sink that keeps findings until it is known whether they have a common cause.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::chrome::legacy {

/// Holds findings back until release() passes them on; otherwise they are discarded.
class HoldingSink final : public core::FindingSink {
 public:
  explicit HoldingSink(core::FindingSink& next) : next_(&next) {}

  void report(Finding finding) override {
    ++held_[finding.rule];
    findings_.push_back(std::move(finding));
  }
  void skip(Skip skip) override { skips_.push_back(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override { more_[&rule] += count; }
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    const auto held = held_.find(&rule);
    const std::uint64_t wanted = next_->wanted(rule);
    return held == held_.end() ? wanted : wanted - std::min(wanted, held->second);
  }

  void release() {
    for (Finding& finding : findings_) next_->report(std::move(finding));
    for (Skip& skip : skips_) next_->skip(std::move(skip));
    for (const auto& [rule, count] : more_) next_->report_more(*rule, count);
  }

 private:
  core::FindingSink* next_;
  std::vector<Finding> findings_;
  std::vector<Skip> skips_;
  std::unordered_map<const Rule*, std::uint64_t> held_;
  std::unordered_map<const Rule*, std::uint64_t> more_;
};

}  // namespace heapcheck::validation::chrome::legacy
