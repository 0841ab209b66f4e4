// Remembers the first error and the first warning that a reader or a check reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "formats/core/finding_sink.hpp"

namespace heapcheck::recovery::mvmheap {

/// Remembers the first error, the first warning, and the limit that was reached, if any.
class FirstError final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    if (finding.rule->stage == Stage::limit) limit_ = finding.message;
    if (finding.rule->severity == Severity::error && !error_) error_ = finding.message;
    if (finding.rule->severity == Severity::warning && !warning_) warning_ = std::move(finding.message);
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 1; }
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  [[nodiscard]] const std::optional<std::string>& warning() const { return warning_; }
  [[nodiscard]] const std::optional<std::string>& limit() const { return limit_; }

 private:
  std::optional<std::string> error_;
  std::optional<std::string> warning_;
  std::optional<std::string> limit_;
};

}  // namespace heapcheck::recovery::mvmheap
