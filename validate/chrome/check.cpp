#include "validate/chrome/check.hpp"

#include <utility>

#include "formats/core/faults.hpp"
#include "formats/read_trace.hpp"
#include "validate/chrome/heaps_v2/check.hpp"
#include "validate/chrome/legacy/check.hpp"

namespace heapcheck::validation::chrome {
namespace {

/// Notes whether the limit of memory was reached.
class MemoryWatch final : public core::FindingSink {
 public:
  explicit MemoryWatch(core::FindingSink& next) : next_(&next) {}

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
  [[nodiscard]] bool is_reached() const { return is_reached_; }

 private:
  void note(const Rule& rule) { is_reached_ = is_reached_ || &rule == &core::rules::limit_memory; }

  core::FindingSink* next_;
  bool is_reached_ = false;
};

}  // namespace

formats::Trace check(core::Window& window, const Limits& limits, core::FindingSink& sink) {
  core::Tally tally(sink);
  MemoryWatch watch(tally);
  formats::Trace trace = formats::read_trace(window, limits, watch);
  if (watch.is_reached()) return trace;  // values are missing, so the rules would report others
  if (trace.container.is_complete && trace.container.has_events && tally.clean() && !trace.has_dumps()) {
    sink.report({&rules::dumps_none, {{trace.container.events}}, "the trace holds no heap dump"});
  }
  heaps_v2::check(trace.heaps_v2, limits.max_threads, tally);
  legacy::check(trace.legacy, trace.container.is_complete, limits.max_threads, tally);
  return trace;
}

}  // namespace heapcheck::validation::chrome
