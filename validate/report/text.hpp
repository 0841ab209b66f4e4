// A report for people: one line a finding, what belongs to it indented below, and a last line a
// file. Appends to a string; never prints.
#pragma once

#include <string>
#include <string_view>

#include "validate/validate.hpp"

namespace heapcheck::validation::report {

struct TextOptions {
  bool color = false;
};

/// Appends the report of the file that was named `name` on the command line.
void append_text(std::string& out, std::string_view name, const Report& report, const TextOptions& options);

}  // namespace heapcheck::validation::report
