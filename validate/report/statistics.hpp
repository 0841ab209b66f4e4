// Counts the findings of all files by rule, and remembers the files that took the longest to check.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/report.hpp"

namespace heapcheck::validation::report {

class Statistics {
 public:
  void add(const NamedReport& file);
  /// One line for each violated rule, starting with the rule with the most findings: findings, files,
  /// severity and id. These lines are followed by at most five files that took longer than a second, starting
  /// with the slowest.
  [[nodiscard]] std::string make_text() const;
  /// Writes the statistics as a `statistics` member.
  void write(core::JsonWriter& json) const;

 private:
  struct Count {
    std::string_view severity;
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
  };
  using Row = std::pair<std::string_view, Count>;
  [[nodiscard]] std::vector<Row> sort_rules() const;
  void add_time(const NamedReport& file);

  std::map<std::string_view, Count> counts_;             // by id
  std::vector<std::pair<double, std::string>> slowest_;  // seconds and path
};

}  // namespace heapcheck::validation::report
