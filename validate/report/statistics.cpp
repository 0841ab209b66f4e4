#include "validate/report/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::validation::report {

void Statistics::add(const NamedReport& file) {
  std::set<std::string_view> broken;
  const auto count = [&](const Rule& rule, Severity level, std::uint64_t findings) {
    Count& entry = counts_[rule.id];
    // Files may have different configurations; the highest severity is shown.
    const std::string_view severity = rule.stage == Stage::limit ? "undecided" : name_of(level);
    if (entry.severity.empty() || severity == "error" || entry.severity == "note") entry.severity = severity;
    entry.findings += findings;
    if (broken.insert(rule.id).second) ++entry.files;
  };
  for (const Finding& finding : file.report->findings) count(*finding.rule, finding.severity, 1);
  for (const More& more : file.report->more) count(*more.rule, more.severity, more.count);
  add_time(file);
}

void Statistics::add_time(const NamedReport& file) {
  constexpr double least_seconds = 1;
  constexpr std::size_t most_files = 5;
  if (file.seconds < least_seconds) return;
  slowest_.emplace_back(file.seconds, core::make_safe_path(file.name));
  std::ranges::sort(slowest_, {}, [](const auto& slow) { return std::pair(-slow.first, slow.second); });
  if (slowest_.size() > most_files) slowest_.resize(most_files);
}

std::vector<Statistics::Row> Statistics::sort_rules() const {
  std::vector<Row> rows(counts_.begin(), counts_.end());
  std::ranges::sort(rows, {}, [](const Row& row) { return std::pair(~row.second.findings, row.first); });
  return rows;
}

std::string Statistics::make_text() const {
  const std::vector<Row> rows = sort_rules();
  std::string text = rows.empty()
                         ? "no rule is broken\n"
                         : fmt::format("{} broken:\n", core::counted(rows.size(), {"rule is", "rules are"}));
  for (const auto& [id, count] : rows) {
    fmt::format_to(std::back_inserter(text), "{:>10} in {:<12} {:<10} {}\n", count.findings,
                   core::counted(count.files, "file"), count.severity, id);
  }
  if (!slowest_.empty()) text += "slowest:\n";
  for (const auto& [seconds, path] : slowest_)
    fmt::format_to(std::back_inserter(text), "{:>10.1f} s  {}\n", seconds, path);
  return text;
}

void Statistics::write(core::JsonWriter& json) const {
  json.begin_object("statistics");
  json.begin_array("rules");
  for (const auto& [id, count] : sort_rules()) {
    json.begin_object();
    json.member("id", id);
    json.member("severity", count.severity);
    json.member("findings", count.findings);
    json.member("files", count.files);
    json.end_object();
  }
  json.end_array();
  json.begin_array("slowest");
  for (const auto& [seconds, path] : slowest_) {
    json.begin_object();
    json.member("path", path);
    json.member("seconds", seconds);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace heapcheck::validation::report
