// Decides how a program that reads heap dumps fares with a file. In: the report of a check for that program.
#pragma once

#include <string_view>

#include "heapcheck/types/report.hpp"

namespace heapcheck::validation {

/// How the reader with that name fares with the file that `report` is about, and the finding that decides it.
[[nodiscard]] ReaderFit judge_reader(std::string_view reader, const Report& report);

}  // namespace heapcheck::validation
