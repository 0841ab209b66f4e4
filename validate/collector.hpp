// The sink of one file: keeps findings up to a number per rule, counts the rest exactly, and puts
// them into the one order that all reports use: file offset, rule id, path.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "formats/core/finding.hpp"
#include "validate/consumer.hpp"

namespace heapcheck::validate {

/// Cases of a rule beyond those described one by one.
struct More {
  const core::Rule* rule;
  std::uint64_t count;
};

class Collector final : public core::FindingSink {
 public:
  /// Findings of rules that `raised` names are of the raised rule instead.
  explicit Collector(std::uint64_t max_per_rule, std::span<const Raise> raised = {})
      : max_per_rule_(max_per_rule), raised_(raised) {}

  void report(core::Finding finding) override;
  void skip(core::Skip skip) override;
  void report_more(const core::Rule& rule, std::uint64_t count) override;
  [[nodiscard]] std::uint64_t wanted(const core::Rule& rule) const override;

  /// The findings kept, in order. Leaves the collector empty.
  std::vector<core::Finding> take_findings();
  /// Rules with cases that were not kept, by id.
  [[nodiscard]] std::vector<More> more() const;
  /// What was not checked; the last one stands for all beyond the number kept.
  std::vector<core::Skip> take_skips();

 private:
  struct Count {
    const core::Rule* rule = nullptr;
    std::uint64_t kept = 0;
    std::uint64_t more = 0;
  };

  [[nodiscard]] const core::Rule* raise(const core::Rule* rule) const;

  std::uint64_t max_per_rule_;
  std::span<const Raise> raised_;
  std::vector<core::Finding> findings_;
  std::vector<core::Skip> skips_;
  std::uint64_t more_skips_ = 0;
  std::map<std::string_view, Count> counts_;
};

}  // namespace heapcheck::validate
