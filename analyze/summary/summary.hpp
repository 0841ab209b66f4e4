// Summarises a file of any format. This is the only part of analyze/ that depends on formats, because blocks
// and sections differ between formats. The functions borrow windows and models, and return values.
#pragma once

#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/part.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/summary.hpp"

namespace heapcheck::analyze {

/// Reads the file in `window`, which is at the first byte. `format` is the format of the file; for a trace,
/// any trace format will do.
[[nodiscard]] Summary summarise(Format format, core::Window& window, const Limits& limits);

/// The row of one snapshot of a MoarVM dump.
[[nodiscard]] MvmheapSnapshot describe_snapshot(const mvmheap::Part& part);
/// The fact that references have no targets, as in version 1 of 32-bit builds.
[[nodiscard]] Fact make_targets_fact();

/// Counts errors and limits and discards the rest, because a summary lists the content of a file, whereas
/// validate() lists its errors.
class ErrorCounter final : public core::FindingSink {
 public:
  explicit ErrorCounter(Summary& summary) : summary_(&summary) {}
  void report(Finding finding) override { report_more(*finding.rule, 1); }
  void report_more(const Rule& rule, std::uint64_t count) override {
    if (rule.stage == Stage::limit) {
      summary_->limits += count;
    } else if (rule.severity == Severity::error) {
      summary_->errors += count;
    }
  }
  void skip(Skip) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 0; }

 private:
  Summary* summary_;
};

// The functions for the files of each family, among which summarise() chooses.

/// Each of these functions fills in all of `summary` except the counts of its sink. `format` is the format of
/// one version of MoarVM dumps.
void summarise_mvmheap(Format format, core::Window& window, const Limits& limits, core::FindingSink& sink,
                       Summary& summary);
/// The format of a trace is that of its dumps.
void summarise_trace(core::Window& window, const Limits& limits, core::FindingSink& sink, Summary& summary);
void summarise_heapprofile(core::Window& window, const Limits& limits, core::FindingSink& sink,
                           Summary& summary);
void summarise_heapsnapshot(core::Window& window, const Limits& limits, core::FindingSink& sink,
                            Summary& summary);

/// Appends a fact that is shown as its value.
inline void add_number(Summary& summary, std::string key, std::string label, std::uint64_t value) {
  summary.facts.push_back({.key = std::move(key), .label = std::move(label), .value = value});
}

/// Appends the program that wrote a file, if it can be guessed.
inline void add_producer(Summary& summary, std::string_view producer) {
  if (producer.empty()) return;
  summary.facts.push_back({.key = "producer",
                           .label = "producer",
                           .value = std::string(producer),
                           .words = std::string(producer) + " (a guess)"});
}

}  // namespace heapcheck::analyze
