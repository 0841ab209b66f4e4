// Reads a whole small file that is not a dump, such as a list of paths.
#pragma once

#include <string>

#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// Returns the content of a file. Errors: unreadable, also for a folder.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

/// Returns the rest of standard input. Errors: unreadable.
[[nodiscard]] Result<std::string> read_standard_input();

}  // namespace heapcheck::cli
