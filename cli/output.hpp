// Where a command's result goes: standard output, or a file that gets its name when it is whole.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::cli {

/// Writes `text` to `path`, or to standard output where `path` is empty. Says on standard error
/// what went wrong and gives false then. A reader of standard output that went away is no error.
bool write_output(const std::string& path, std::string_view text);

/// Whether both paths are there and name the same file, by whatever links.
bool is_same_file(const std::string& a, const std::string& b);

/// Writes "heapcheck: TEXT" to standard error as one line, with control characters escaped. What
/// cannot be written there is lost.
void print_error(std::string_view text);

/// Writes text to standard error as it is.
void print_note(std::string_view text);

/// Whether to colour text on standard output, from `--color` (auto, always, never) and NO_COLOR.
bool wants_color(const std::string& mode);

}  // namespace heapcheck::cli
