// Reports on many files, in forms for humans and for programs. Reports are made piece by piece, so a file's
// data does not have to be kept after its piece has been made. Reporters do not print.
#pragma once

#include <cstdint>
#include <string>

#include "heapcheck/types/report.hpp"

namespace heapcheck {

/// The form of a report.
enum class ReportForm : std::uint8_t {
  text,    ///< human-readable: one line for each finding and one for each file
  json,    ///< one document for all files, as described in spec/report.schema.json
  ndjson,  ///< one line for each file, with the same members as in the JSON document
  sarif,   ///< SARIF 2.1.0, one run for all files
  junit,   ///< JUnit XML, with one test case for each file
  github,  ///< workflow commands, which GitHub shows as annotations
  gitlab,  ///< a GitLab code quality report
};

/// The appearance of a report.
struct ReportOptions {
  ReportForm form = ReportForm::text;  ///< the form of the report
  bool color = false;                  ///< whether the text contains ANSI colour codes
  bool is_brief = false;               ///< whether the text has only one line for each file that fails
  std::string reader = {};             ///< the program for which all files were checked, or empty
  /// Whether text and JSON reports end with the number of findings for each rule and a list of the slowest
  /// files.
  bool has_statistics = false;
};

/// Makes the pieces of one report. Write them one after the other.
class HEAPCHECK_API Reporter {
 public:
  virtual ~Reporter() = default;

  /// The piece before the first file.
  [[nodiscard]] virtual std::string begin() = 0;
  /// The piece about one file. The file's data may be freed afterwards.
  [[nodiscard]] virtual std::string add(const NamedReport& file) = 0;
  /// The piece after the last file.
  [[nodiscard]] virtual std::string end() = 0;
};

}  // namespace heapcheck
