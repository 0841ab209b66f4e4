// A sink that remembers whether a file has errors or warnings, so that rules whose findings may have the same
// cause as an earlier one can be left out.
#pragma once

#include <cstdint>
#include <utility>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::validation::mvmheap {

/// Passes everything on and remembers whether any of it was an error, a limit or a warning.
class FaultTally final : public core::FindingSink {
 public:
  explicit FaultTally(core::FindingSink& next) : next_(&next) {}

  void report(Finding finding) override {
    note(*finding.rule);
    next_->report(std::move(finding));
  }
  void skip(Skip skip) override { next_->skip(std::move(skip)); }
  void report_more(const Rule& rule, std::uint64_t count) override {
    note(rule);
    next_->report_more(rule, count);
  }
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override { return next_->wanted(rule); }

  /// Whether no error, limit or warning has passed through so far.
  [[nodiscard]] bool clean() const { return is_clean_; }

 private:
  void note(const Rule& rule) { is_clean_ = is_clean_ && rule.severity == Severity::note; }

  core::FindingSink* next_;
  bool is_clean_ = true;
};

}  // namespace heapcheck::validation::mvmheap
