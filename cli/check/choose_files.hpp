// The files that `validate` checks: those that the user names, in arguments or in a list, without those that
// are excluded or belong to another shard, that are not heap dumps, or that it writes itself.
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

/// The number of the shard to which the file belongs: it depends only on its size and on its first and last
/// 64 KiB. That of a file that cannot be read is 1.
[[nodiscard]] std::uint64_t find_shard(const std::string& path, std::uint64_t shard_count);

/// The files that PATH, --files-from, --exclude and --shard stand for, each of them once. Says if there are
/// none. Errors: unsupported or unreadable, with a whole sentence.
[[nodiscard]] Result<FoundFiles> choose_files(const Values& values);

/// Whether a file that cannot be read as a dump is left out: it was found in a folder, and is empty or of
/// unknown format. A file with the extension of a dump, which may be followed by that of a compressed file,
/// is checked, because it is presumably damaged. If there is a reader, only the extensions of formats that
/// it reads count.
[[nodiscard]] bool is_other_file(const InputFile& file, bool is_of_unknown_format, const std::string& reader);

/// Says on standard error how many files were left out because of their format.
void print_skipped(std::size_t count, const std::string& reader);

/// The files that `validate` writes.
struct WrittenFiles {
  std::string report;    ///< empty for standard output
  std::string baseline;  ///< empty if none is written
};

/// Removes the files to write from the targets if they were found in a folder and are not dumps: they were
/// just created by the shell, or contain the report of an earlier run. Returns the number of removed files,
/// or nothing, after an error, if the report or the baseline would overwrite a file that is to be checked.
[[nodiscard]] std::optional<std::size_t> drop_output(const WrittenFiles& written, const Limits& limits,
                                                     std::vector<InputFile>& targets);

/// The paths that lead to folders. If all files in them were left out, they are reported, with `no_dumps`.
[[nodiscard]] std::vector<std::string> list_folders(const std::vector<std::string>& paths);
inline constexpr const char* no_dumps = "the folder contains no heap dumps";

}  // namespace heapcheck::cli
