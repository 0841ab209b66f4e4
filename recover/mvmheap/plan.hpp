// The first pass over a damaged dump: decides which snapshots are kept, and repairs the tables that they
// need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/mvmheap/convert.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/model.hpp"
#include "formats/mvmheap/version.hpp"
#include "recover/mvmheap/recover.hpp"

namespace heapcheck::recovery::mvmheap {

namespace model = heapcheck::mvmheap;

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

/// An mvm.refs.stable finding, which applies if the string with this index is the name of such references.
struct WrongStable {
  std::uint64_t name = 0;
  std::string message;
};

/// A snapshot of the damaged file, and the decision whether to keep it.
struct Candidate {
  std::uint64_t index = 0;
  Amounts amounts;   // the amounts of rows that were read completely
  Amounts original;  // the amounts including rows that are known to be missing
  bool has_meta = false;
  bool has_highscores = false;
  std::string reason;                  // why it is dropped; empty if it is kept
  WrongStable wrong_stable;            // has no message if there is none
  model::TableCounts needed;           // the rows to which its graph refers
  model::TableCounts without_largest;  // the same without the largest index
  model::TableCounts known;  // the intact rows known at this snapshot; counts_unknown if the tables come
                             // later
};

/// The decisions made during the first pass.
struct Plan {
  std::optional<std::uint64_t> declared_snapshots;
  std::vector<Candidate> snapshots;
  conversion::mvmheap::Survey survey;  // `seen` has an element for each kept snapshot
  model::TableCounts placeholders;
  model::TableCounts rows;  // not including the note about lost snapshots
};

/// Reads the dump to its end. Limits and input failures are handled by the caller, which has the sink of
/// `reader`.
[[nodiscard]] Plan make_plan(model::DumpReader& reader, const RecoverOptions& options);

}  // namespace heapcheck::recovery::mvmheap
