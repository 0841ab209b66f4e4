// Determines how well a program that reads heap dumps copes with a file. The input is the report from a check
// for that program.
#pragma once

#include <string_view>

#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// How well the reader with that name copes with the file that `report` describes, and the rule that
/// determines this.
[[nodiscard]] ReaderFit judge_reader(std::string_view reader, const Report& report);

}  // namespace heapcheck::validation
