// Chooses the files that `validate` checks: those that the user names in arguments or in a list, except files
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

/// One of several equal parts of the set of all files.
struct Shard {
  std::uint64_t number = 1;  ///< counted from 1
  std::uint64_t count = 1;
};

/// Parses a shard such as `2/8`. Errors: unsupported.
[[nodiscard]] Result<Shard> parse_shard(const std::string& text);

/// The number of the shard to which the file belongs. It depends only on the size of the file and on its
/// first and last 64 KiB. A file that cannot be read belongs to shard 1.
[[nodiscard]] std::uint64_t find_shard(const std::string& path, std::uint64_t shard_count);

/// The files that PATH, --files-from, --exclude and --shard select, without duplicates. Prints a message if
/// there are none. Errors: unsupported or unreadable, with a complete sentence.
[[nodiscard]] Result<FoundFiles> choose_files(const Values& values);

/// Whether to leave out a file that cannot be read as a dump. This is true if the file was found in a folder
/// and is empty or has an unknown format. A file with the extension of a dump, optionally followed by that of
/// a compressed file, is checked anyway, because it is presumably a damaged dump. If a reader is given, only
/// the extensions of the formats that it supports count.
[[nodiscard]] bool is_other_file(const InputFile& file, bool is_of_unknown_format, const std::string& reader);

/// Prints to standard error how many files were left out because of their format.
void print_skipped(std::size_t count, const std::string& reader);

/// The files that `validate` writes.
struct WrittenFiles {
  std::string report;    ///< empty for standard output
  std::string baseline;  ///< empty if none is written
};

/// Removes from the targets the files that will be written, provided that they were found in a folder and are
/// not dumps. Such files were just created by the shell or contain the report from an earlier run. Returns
/// the number of removed files. If the report or the baseline would overwrite a file that is to be checked,
/// prints an error and returns nothing.
[[nodiscard]] std::optional<std::size_t> drop_output(const WrittenFiles& written, const Limits& limits,
                                                     std::vector<InputFile>& targets);

/// The paths that lead to folders. If all files in a folder were left out, the folder is reported with the
/// message `no_dumps`.
[[nodiscard]] std::vector<std::string> list_folders(const std::vector<std::string>& paths);
inline constexpr const char* no_dumps = "the folder contains no heap dumps";

}  // namespace heapcheck::cli
