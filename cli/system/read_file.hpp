// Reads a whole small file that is not a dump, such as a list of paths.
#pragma once

#include <string>

#include "heapcheck/result.hpp"

namespace heapcheck::cli {

/// Returns the content of a file; `-` is standard input. Errors: unreadable, also for a folder.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

}  // namespace heapcheck::cli
