// The project's own files, for the tests of its conventions: paths relative to the source folder, lines, and
// includes. Reads HEAPCHECK_SOURCE_DIR, except build folders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heapcheck::tests::project {

/// The folders that contain C++ code.
inline constexpr std::string_view code_folders[] = {
    "include", "api", "formats", "graph", "validate", "convert",     "allocations", "recover", "analyze",
    "export",  "cli", "fuzz",    "tests", "bench",    "conformance", "examples",    "bindings"};

/// One include line: the file that contains it, the included file, and whether it is in quotes. For a public
/// header that is included in quotes, `target` is its path relative to the source folder:
/// `include/heapcheck/dump.hpp`.
struct Include {
  std::string file;
  std::string target;
  bool quoted = true;
};

/// The last part of the path: `grammar.cpp`.
[[nodiscard]] std::string_view file_name(std::string_view path);

/// Returns whether `path` is in `folder` (`formats/core`), at any depth.
[[nodiscard]] bool is_below(std::string_view path, std::string_view folder);

/// The sorted paths, relative to the source folder, of all files below `folder` whose names end in `ending`.
/// Empty if there is no such folder; `""` is the source folder itself.
[[nodiscard]] std::vector<std::string> find_files(std::string_view folder, std::string_view ending);

/// The .cpp and .hpp files in all code folders.
[[nodiscard]] std::vector<std::string> find_code();

/// The lines of a file below the source folder.
[[nodiscard]] std::vector<std::string> read_lines(const std::string& path);

/// The includes in the lines of `file`.
[[nodiscard]] std::vector<Include> find_includes(const std::string& file,
                                                 const std::vector<std::string>& lines);

}  // namespace heapcheck::tests::project
