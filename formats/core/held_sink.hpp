// Holds back findings until it is known whether they matter, or until the findings of earlier checks have
// been reported. Borrows the next sink.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::core {

class HeldSink final : public FindingSink {
 public:
  explicit HeldSink(FindingSink& next) : next_(&next) {}

  void report(Finding finding) override {
    note(*finding.rule, 1);
    ++count_of(*finding.rule).held;
    held_.push_back(std::move(finding));
  }
  void skip(Skip skip) override { skips_.push_back(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override {
    note(rule, count);
    count_of(rule).more += count;
  }
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override {
    const std::uint64_t wanted = next_->wanted(rule);
    const auto found = std::ranges::find(counts_, &rule, &Count::rule);
    return found == counts_.end() ? wanted : wanted - std::min(wanted, found->held);
  }

  /// Passes on the findings held back so far.
  void flush() {
    for (Finding& finding : held_) next_->report(std::move(finding));
    for (const Count& count : counts_) {
      if (count.more != 0) next_->report_more(*count.rule, count.more);
    }
    for (Skip& skip : skips_) next_->skip(std::move(skip));
    drop();
  }
  /// Discards the findings held back so far.
  void drop() {
    held_.clear();
    counts_.clear();
    skips_.clear();
  }
  /// The number of errors so far, whether or not they were passed on.
  [[nodiscard]] std::uint64_t errors() const { return errors_; }

 private:
  struct Count {
    const Rule* rule;
    std::uint64_t held = 0;
    std::uint64_t more = 0;
  };

  Count& count_of(const Rule& rule) {
    const auto found = std::ranges::find(counts_, &rule, &Count::rule);
    return found != counts_.end() ? *found : counts_.emplace_back(Count{&rule});
  }
  void note(const Rule& rule, std::uint64_t count) {
    errors_ += rule.severity == Severity::error ? count : 0U;
  }

  FindingSink* next_;
  std::vector<Finding> held_;
  std::vector<Skip> skips_;
  std::vector<Count> counts_;  // the number of findings held back, by rule
  std::uint64_t errors_ = 0;
};

}  // namespace heapcheck::core
