// The files that the user asks for: those named on the command line, those in named folders, and small files
// that are not dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// A file to check, and whether the user named it or it was found in a folder.
struct InputFile {
  std::string path;
  bool named = true;
};

/// A path that leads to no file.
struct FailedPath {
  std::string path;
  std::string why;
};

struct FoundFiles {
  std::vector<InputFile> targets;  ///< in the order of the paths; files in a folder are sorted by path
  std::vector<FailedPath> failed;
};

/// Replaces each folder with the regular files in it and in all folders inside it, but does not follow links
/// to folders. The search continues after a folder that cannot be read. `-` means standard input. Throws
/// std::bad_alloc.
FoundFiles find_files(const std::vector<std::string>& paths);

/// Returns the content of a file. Errors: unreadable, including for a folder; unsupported if there are more
/// than `most` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most = SIZE_MAX);

/// Returns the rest of standard input. Errors: unreadable.
[[nodiscard]] Result<std::string> read_standard_input();

}  // namespace heapcheck::cli
