// The folders in which the server may read and write files, and the files in them.
#pragma once

#include <string>
#include <vector>

#include "heapcheck/source.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli::mcp {

/// An open file that is closed when the last copy of its source is gone.
struct OpenFile {
  std::string path;  ///< without symbolic links
  CallerSource source;
  /// Changes if the file is replaced or written to.
  std::string identity;
};

/// The folders that --root names.
class Roots {
 public:
  /// Errors: unreadable if one of the paths is not a folder.
  [[nodiscard]] static Result<Roots> make(const std::vector<std::string>& paths);

  /// The folders, without symbolic links.
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }

  /// Opens a regular file. A relative path starts at the first folder. Errors: unsupported if the path leads
  /// out of the folders, directly or through symbolic links; unreadable.
  [[nodiscard]] Result<OpenFile> open(const std::string& path) const;

  /// Creates an empty file, which must not exist yet, and returns its path without symbolic links. Errors:
  /// unsupported if the path leads out of the folders; unwritable.
  [[nodiscard]] Result<std::string> create(const std::string& path) const;

 private:
  [[nodiscard]] Result<std::string> resolve(const std::string& path) const;

  std::vector<std::string> folders_;
};

}  // namespace heapcheck::cli::mcp
