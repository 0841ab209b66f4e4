// A baseline: a text file with one line for each known finding. Known findings are not reported again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

class Baseline {
 public:
  /// Reads the file at `path`. Errors: unreadable; unsupported, with the line.
  [[nodiscard]] static Result<Baseline> read(const std::string& path);

  /// What a report has in common with the baseline.
  struct Applied {
    std::vector<std::string> gone;    ///< the fingerprints of known findings that are not in the report
    bool is_unchecked_known = false;  ///< whether it is known that the file cannot be read or checked
                                      ///< completely
  };
  /// Removes the file's known findings from the report, counts them as ignored, and keeps at most `most`
  /// findings for each rule. `lines` contains the line of each finding; see NamedReport.
  Applied apply(const std::string& path, Report& report, std::vector<std::uint64_t>& lines,
                std::uint64_t most) const;

  /// Adds the findings of a file, or the fact that it cannot be read or checked completely.
  void add(const std::string& path, const Report& report);
  /// The content of the file, sorted.
  [[nodiscard]] std::string make_text() const;

 private:
  std::map<std::string, std::set<std::string>> known_;  // the fingerprints of each file
};

}  // namespace heapcheck::cli
