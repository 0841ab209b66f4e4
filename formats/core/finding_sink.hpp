// The sink to which readers and rules report findings. Nothing here prints anything; only reporters do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "heapcheck/types/finding.hpp"

namespace heapcheck::core {

class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void report(Finding finding) = 0;
  virtual void skip(Skip skip) = 0;

  /// Counts `count` further violations of `rule` that were found but are not described individually.
  virtual void report_more(const Rule& rule, std::uint64_t count) = 0;

  /// The number of further findings of `rule` that are wanted in detail. All others go to report_more().
  [[nodiscard]] virtual std::uint64_t wanted(const Rule& rule) const = 0;
};

/// Accepts findings and discards them.
class SilentSink final : public FindingSink {
 public:
  void report(Finding) override {}
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 0; }
};

/// Reports `finding`, or only counts it if no further findings of its rule are wanted in detail.
inline void report_or_count(FindingSink& sink, Finding finding) {
  const Rule& rule = *finding.rule;
  if (sink.wanted(rule) == 0) return sink.report_more(rule, 1);
  sink.report(std::move(finding));
}

/// Does the same for the finding that `make` returns. If only the count matters, `make` is not called,
/// because building a path can be expensive.
template <class Make>
void report_lazily(FindingSink& sink, const Rule& rule, const Make& make) {
  if (sink.wanted(rule) == 0) return sink.report_more(rule, 1);
  sink.report(make());
}

/// Passes everything on and records whether anything was an error, a limit, or at least as severe as `least`.
/// This makes it possible to skip checks that depend on a broken unit, so that one cause produces one
/// finding.
class Tally final : public FindingSink {
 public:
  explicit Tally(FindingSink& next, Severity least = Severity::error) : next_(&next), least_(least) {}
  /// Makes a tally that passes everything on to `next`, which is not copied.
  explicit Tally(Tally& next) : next_(&next) {}
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

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

  /// Returns whether nothing of this severity has passed through so far.
  [[nodiscard]] bool clean() const { return rules_.empty(); }
  /// The rules of all findings of this severity that have passed through so far, each once.
  [[nodiscard]] std::span<const Rule* const> rules() const { return rules_; }

 private:
  void note(const Rule& rule) {
    if (rule.severity >= least_ && std::ranges::find(rules_, &rule) == rules_.end()) rules_.push_back(&rule);
  }

  FindingSink* next_;
  Severity least_ = Severity::error;
  std::vector<const Rule*> rules_;
};

}  // namespace heapcheck::core
