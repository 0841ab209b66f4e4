// Reports on many files in the forms that people and programs read, made piece by piece: nothing of a file
// has to be kept once its piece is made. Reporters do not print.
#pragma once

#include <cstdint>
#include <string>

#include "heapcheck/types/report.hpp"

namespace heapcheck {

/// The form of a report.
enum class ReportForm : std::uint8_t {
  text,    ///< for people: one line for each finding, and one for each file
  json,    ///< one document for all files, as described by spec/report.schema.json
  ndjson,  ///< one line for each file, with the members that it has in the JSON document
  sarif,   ///< SARIF 2.1.0, one run for all files
  junit,   ///< JUnit XML, with one test case for each file
  github,  ///< workflow commands, which GitHub shows as annotations
  gitlab,  ///< a code quality report of GitLab
};

/// What a report looks like.
struct ReportOptions {
  ReportForm form = ReportForm::text;  ///< what it is made of
  bool color = false;                  ///< whether the text has ANSI colours
  bool is_brief = false;               ///< whether the text has one line for each file that fails, only
  std::string reader = {};             ///< the program that all files were checked for, or empty
  /// Whether text and json end with the numbers of findings by rule, and with the slowest files.
  bool has_statistics = false;
};

/// Makes the pieces of one report. They are to be written one after the other.
class HEAPCHECK_API Reporter {
 public:
  virtual ~Reporter() = default;

  /// What comes before the first file.
  [[nodiscard]] virtual std::string begin() = 0;
  /// The piece about a file. Files may be dropped after this.
  [[nodiscard]] virtual std::string add(const NamedReport& file) = 0;
  /// What comes after the last file.
  [[nodiscard]] virtual std::string end() = 0;
};

}  // namespace heapcheck
