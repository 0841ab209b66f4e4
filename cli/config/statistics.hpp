// Counts the findings of all files by rule.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "heapcheck/report.hpp"

namespace heapcheck::cli {

class Statistics {
 public:
  void add(const Report& report);
  /// One line for each rule that is broken, with the most findings first: findings, files, severity and id.
  [[nodiscard]] std::string make_text() const;

 private:
  struct Count {
    std::string_view severity;
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
  };
  std::map<std::string_view, Count> counts_;  // by id
};

}  // namespace heapcheck::cli
