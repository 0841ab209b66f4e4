// The files that the user asks for: those named on the command line, and those in the named folders.
#pragma once

#include <string>
#include <vector>

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
  std::vector<InputFile> targets;  ///< in the order of the paths; those of a folder are sorted by path
  std::vector<FailedPath> failed;
};

/// Replaces each folder by the regular files in it and in all folders inside it, but does not follow links to
/// folders. The search goes on after a folder that cannot be read. `-` is standard input. Throws
/// std::bad_alloc.
FoundFiles find_files(const std::vector<std::string>& paths);

}  // namespace heapcheck::cli
