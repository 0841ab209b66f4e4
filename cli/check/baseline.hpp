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

  /// Removes the file's known findings from the report, counts them as ignored, and keeps at most `most`
  /// findings for each rule. Returns the fingerprints of known findings that are not in the report. `lines`
  /// contains the line of each finding; see NamedReport.
  std::vector<std::string> apply(const std::string& path, Report& report, std::vector<std::uint64_t>& lines,
                                 std::uint64_t most) const;

  /// Adds the findings of a file.
  void add(const std::string& path, const Report& report);
  /// The content of the file, sorted.
  [[nodiscard]] std::string make_text() const;

 private:
  std::map<std::string, std::set<std::string>> known_;  // the fingerprints of each file
};

}  // namespace heapcheck::cli
