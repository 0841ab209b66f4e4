// The options of `validate` that choose files and known findings.
#pragma once

#include "cli/command_table.hpp"

namespace heapcheck::cli {

inline constexpr Option files_from{
    .name = "files-from",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Also check the files and folders that FILE lists, one on each line; - is standard input",
    .manual =
        "Also checks the files and folders that *FILE* lists.\n"
        "They are separated by NULs, as `find -print0` writes them, or by line feeds if there is no NUL."};

inline constexpr Option excluded_files{
    .name = "exclude",
    .kind = ValueKind::text,
    .is_repeated = true,
    .placeholder = "GLOB",
    .default_text = "none",
    .help = "Leave out files whose paths match, such as '*.tmp' or '*/old/*'",
    .manual =
        "Leaves out the files whose paths match *GLOB*, in which `*` stands for any characters, also "
        "for slashes.\n"
        "A *GLOB* without a slash is compared with the name of the file alone."};

inline constexpr Option file_shard{
    .name = "shard",
    .kind = ValueKind::text,
    .placeholder = "I/N",
    .help = "Check only part I of N equal parts of the files",
    .manual =
        "Checks only the files in part *I* of *N*, which counts from 1.\n"
        "The part depends on the content of a file: on its size and its first and last 64 KiB. So a "
        "file is always in the same part, and each file is in exactly one."};

inline constexpr Option report_cache{
    .name = "cache",
    .kind = ValueKind::file,
    .placeholder = "DIR",
    .help = "Keep reports in DIR, and do not read files again that have not changed",
    .manual =
        "Keeps the report on each file in the folder *DIR*, which is created if necessary, so that a run can "
        "be resumed or repeated.\n"
        "A file is not read again if its path, inode, size and times, the options and the program are the "
        "same.\n"
        "Files that cannot be read, reach a limit, or were changed in the last two seconds are always "
        "read.\n"
        "Several runs may use the same folder, and its files may be deleted at any time."};

inline constexpr Option known_findings{
    .name = "baseline",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Do not report the findings in FILE, which are known",
    .manual =
        "Does not report the findings in *FILE*, which `--write-baseline` wrote, and says which of them are "
        "gone.\n"
        "A finding is recognised by its file, rule, path and message without their numbers, so it may move "
        "to a different offset or row."};

inline constexpr Option written_baseline{
    .name = "write-baseline",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Write the findings to FILE, for --baseline",
    .manual =
        "Writes the findings of all files to *FILE*, as text with one line for each.\n"
        "Findings of limits and of files that cannot be read are not included.",
    .excludes = "baseline"};

}  // namespace heapcheck::cli
