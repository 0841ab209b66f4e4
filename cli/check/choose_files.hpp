// The files that `validate` checks: the files that the user names in arguments or in a list, except those
// that are excluded, belong to another shard, are not heap dumps, or are written by `validate` itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/system/files.hpp"
#include "cli/values.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// One of several equal parts of all files.
struct Shard {
  std::uint64_t number = 1;  ///< counted from 1
  std::uint64_t count = 1;
};

/// `2/8`. Errors: unsupported.
[[nodiscard]] Result<Shard> parse_shard(const std::string& text);

/// The number of the shard to which the file belongs. It depends only on the file's size and its first and
/// last 64 KiB. A file that cannot be read belongs to shard 1.
[[nodiscard]] std::uint64_t find_shard(const std::string& path, std::uint64_t shard_count);

/// The files that PATH, --files-from, --exclude and --shard select, each of them once. Prints a message if
/// there are none. Errors: unsupported or unreadable, with a complete sentence.
[[nodiscard]] Result<FoundFiles> choose_files(const Values& values);

/// Whether a file that cannot be read as a dump is left out, because it was found in a folder and is empty or
/// of unknown format. A file with the extension of a dump, optionally followed by the extension of a
/// compressed file, is checked, because it is presumably damaged. If there is a reader, only the extensions
/// of the formats that it reads count.
[[nodiscard]] bool is_other_file(const InputFile& file, bool is_of_unknown_format, const std::string& reader);

/// Prints on standard error how many files were left out because of their format.
void print_skipped(std::size_t count, const std::string& reader);

/// The files that `validate` writes.
struct WrittenFiles {
  std::string report;    ///< empty for standard output
  std::string baseline;  ///< empty if none is written
};

/// Removes the files to write from the targets if they were found in a folder and are not dumps: they were
/// just created by the shell, or contain the report of an earlier run. Returns the number of removed files,
/// or prints an error and returns nothing if the report or the baseline would overwrite a file that is to be
/// checked.
[[nodiscard]] std::optional<std::size_t> drop_output(const WrittenFiles& written, const Limits& limits,
                                                     std::vector<InputFile>& targets);

/// The paths that lead to folders. A folder in which all files were left out is reported with `no_dumps`.
[[nodiscard]] std::vector<std::string> list_folders(const std::vector<std::string>& paths);
inline constexpr const char* no_dumps = "the folder contains no heap dumps";

}  // namespace heapcheck::cli
