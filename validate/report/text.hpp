// A report for people: one line per finding, with details indented below it, and a final line for the file.
// No line has 200 columns or more: long messages, paths and names are shortened in the middle. Appends to a
// string; never prints.
#pragma once

#include <string>
#include <string_view>

#include "validate/validate.hpp"

namespace heapcheck::validation::report {

struct TextOptions {
  bool color = false;
};

/// Appends the report on the file that is called `name` on the command line. Findings at the same place are
/// ordered by severity, the others as in the report.
void append_text(std::string& out, std::string_view name, const Report& report, const TextOptions& options);

}  // namespace heapcheck::validation::report
