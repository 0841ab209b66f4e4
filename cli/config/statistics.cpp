#include "cli/config/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "formats/core/counted.hpp"

namespace heapcheck::cli {

void Statistics::add(const Report& report) {
  std::set<std::string_view> broken;
  const auto count = [&](const Rule& rule, std::uint64_t findings) {
    Count& entry = counts_[rule.id];
    // Files may have different configurations; the highest severity is shown.
    const std::string_view severity = rule.stage == Stage::limit ? "undecided" : name_of(rule.severity);
    if (entry.severity.empty() || severity == "error" || entry.severity == "note") entry.severity = severity;
    entry.findings += findings;
    if (broken.insert(rule.id).second) ++entry.files;
  };
  for (const Finding& finding : report.findings) count(*finding.rule, 1);
  for (const More& more : report.more) count(*more.rule, more.count);
}

std::string Statistics::make_text() const {
  std::vector<std::pair<std::string_view, Count>> rows(counts_.begin(), counts_.end());
  std::ranges::sort(rows, {}, [](const auto& row) { return std::pair(~row.second.findings, row.first); });
  if (rows.empty()) return "no rule is broken\n";
  std::string text = fmt::format("{} broken:\n", core::counted(rows.size(), "rule is", "rules are"));
  for (const auto& [id, count] : rows) {
    fmt::format_to(std::back_inserter(text), "{:>10} in {:<12} {:<10} {}\n", count.findings,
                   core::counted(count.files, "file"), count.severity, id);
  }
  return text;
}

}  // namespace heapcheck::cli
