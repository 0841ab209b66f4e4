// The sink for one file: keeps up to a given number of findings per rule, counts the rest, and sorts the kept
// findings by file offset, rule id and path. Findings for rules that are not selected are only counted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "heapcheck/types/report.hpp"
#include "validate/readers.hpp"
#include "validate/selection.hpp"

namespace heapcheck::validation {

class Collector final : public core::FindingSink {
 public:
  /// Findings of a rule in `raised` are attributed to the rule that replaces it. `selection` then determines
  /// whether they are reported.
  explicit Collector(std::uint64_t max_per_rule, std::span<const RaisedRule> raised = {},
                     Selection selection = {})
      : max_per_rule_(max_per_rule), raised_(raised), selection_(std::move(selection)) {}

  void report(Finding finding) override;
  void skip(Skip skip) override;
  void report_more(const Rule& rule, std::uint64_t count) override;
  [[nodiscard]] std::uint64_t wanted(const Rule& rule) const override;

  /// Whether a finding of the rule was reported.
  [[nodiscard]] bool has(const Rule& rule) const { return counts_.contains(&rule); }
  /// Drops all findings except those of `cause`, which may have caused the others, and records why.
  void keep_only(const Rule& cause);
  /// The findings that were kept, in order. Leaves the collector empty.
  std::vector<Finding> take_findings();
  /// The rules with findings that were not kept, sorted by id.
  [[nodiscard]] std::vector<More> more() const;
  /// The number of findings for rules that are not selected.
  [[nodiscard]] std::uint64_t count_ignored() const;
  /// Whether the bytes follow the grammar as far as the findings show. Does not depend on the selection.
  [[nodiscard]] bool is_well_formed() const;
  /// The message of the last limit that was reached.
  [[nodiscard]] const std::optional<std::string>& limit() const { return limit_; }
  /// The parts that were not checked; the last entry represents all those that were not kept.
  std::vector<Skip> take_skips();

 private:
  struct Count {
    const Rule* rule = nullptr;        // the record under which it is reported
    std::optional<Severity> severity;  // empty if it is not selected
    std::uint64_t kept = 0;
    std::uint64_t more = 0;
  };

  [[nodiscard]] Count make_count(const Rule& rule) const;
  Count& count_of(const Rule& rule);

  std::uint64_t max_per_rule_;
  std::span<const RaisedRule> raised_;
  Selection selection_;
  std::vector<Finding> findings_;
  std::vector<Skip> skips_;
  std::uint64_t more_skips_ = 0;
  std::optional<std::string> limit_;
  std::unordered_map<const Rule*, Count> counts_;  // keyed by the rule that the check reports
};

}  // namespace heapcheck::validation
