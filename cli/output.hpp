// Where a command's result goes: standard output, or a file that gets its name once it is complete.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::cli {

/// Writes `text` to `path`, or to standard output if `path` is empty. If that fails, prints an error on
/// standard error and returns false. A closed pipe at the other end of standard output is not an error.
bool write_output(const std::string& path, std::string_view text);

/// Whether both paths exist and lead to the same file, directly or through links.
bool is_same_file(const std::string& a, const std::string& b);

/// Writes "heapcheck: TEXT" to standard error as one line, with control characters escaped. If standard error
/// cannot be written, the text is lost.
void print_error(std::string_view text);

/// Prints an error about a file: "heapcheck: PATH: WHY". If the path is empty, says that instead.
void print_file_error(const std::string& path, std::string_view why);

/// Writes text to standard error unchanged.
void print_note(std::string_view text);

/// Whether to colour text on standard output, according to `--color` (auto, always, never) and NO_COLOR.
bool wants_color(const std::string& mode);

}  // namespace heapcheck::cli
