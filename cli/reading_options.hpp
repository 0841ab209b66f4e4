// The options of every command that reads dumps.
#pragma once

#include "cli/command_table.hpp"

namespace heapcheck::cli {

inline constexpr Option max_memory{
    .name = "max-memory",
    .kind = ValueKind::limit,
    .placeholder = "SIZE",
    .default_text = "8G",
    .help = "Maximum memory for the data of one file, such as 512M",
    .manual =
        "Limits the memory that the program uses for a file: the columns of one snapshot, "
        "the shared tables, and the data that rules derive from them.\n"
        "A file that needs more is *undecided*.\n"
        "The program takes at most 64 MB more, and up to twice as much with several threads.\n"
        "Files that are checked at the same time take as much each.\n"
        "*SIZE* is a number of bytes, optionally with a suffix such as `K`, `M` or `G`."};

inline constexpr Option max_expanded{
    .name = "max-expanded",
    .kind = ValueKind::limit,
    .placeholder = "SIZE",
    .default_text = "no limit for one block",
    .help = "Maximum decompressed size of one compressed block, such as 2G",
    .manual =
        "Limits the decompressed size of each compressed block inside a dump.\n"
        "A file with a larger block is *undecided*.\n"
        "All blocks of a file together may decompress to at most this size, 512 MiB, or 300 times their "
        "compressed size, whichever is largest.\n"
        "The option does not apply to a file that is compressed as a whole: its decompressed size is "
        "limited to 1 TiB and to 4 GiB or 2,000 times its compressed size, whichever is larger."};

inline constexpr Option timeout{
    .name = "timeout",
    .kind = ValueKind::count,
    .placeholder = "S",
    .least = 1,
    .most = 1'000'000,
    .default_text = "no limit",
    .help = "Maximum time of the whole run in seconds",
    .manual =
        "Stops reading after *S* seconds and reports what was found until then; files that were not read to "
        "their end are *undecided*.\n"
        "A run that does not stop two seconds later, for example because a pipe delivers nothing, ends "
        "without a complete report."};

inline constexpr Option quiet_but_errors{
    .name = "quiet", .help = "Print only errors", .manual = "Prints only errors."};

inline constexpr Option no_progress{
    .name = "no-progress",
    .help = "Do not show a progress bar",
    .manual =
        "Does not show a progress bar.\n"
        "Without this option, a progress bar appears on standard error if that is a terminal and "
        "reading takes longer than a second."};

inline constexpr Option sandbox{
    .name = "sandbox",
    .kind = ValueKind::choice,
    .placeholder = "WHEN",
    .choices = [] { return Choices{"on", "off"}; },
    .default_text = "on",
    .help = "Whether to give up access to everything but the named files before reading them",
    .manual =
        "With `on`, the program gives up its access to all files but those that it needs, and its right to "
        "start programs and to create sockets, before it reads a dump.\n"
        "Each restriction applies only if the kernel supports it: Landlock for files, seccomp for the "
        "rest."};

}  // namespace heapcheck::cli
