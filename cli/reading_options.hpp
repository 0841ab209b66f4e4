// Options that many commands share, in particular those of every command that reads dumps.
#pragma once

#include <algorithm>
#include <array>

#include "cli/command_table.hpp"

namespace heapcheck::cli {

constexpr Option output_form(Choices (*choices)(), std::string_view help, std::string_view manual = {}) {
  return {.name = "output",
          .kind = ValueKind::choice,
          .placeholder = "FORM",
          .choices = choices,
          .default_text = "text",
          .help = help,
          .manual = manual};
}

constexpr Option output_file(std::string_view placeholder, std::string_view help, std::string_view manual) {
  return {.name = "output-file",
          .short_name = 'o',
          .kind = ValueKind::file,
          .placeholder = placeholder,
          .help = help,
          .manual = manual};
}

constexpr Option snapshot_index(std::string_view help, std::string_view manual = {},
                                std::string_view default_text = {}) {
  return {.name = "snapshot",
          .kind = ValueKind::count,
          .placeholder = "K",
          .most = UINT32_MAX,
          .default_text = default_text,
          .help = help,
          .manual = manual};
}

constexpr Option force(std::string_view help, std::string_view manual) {
  return {.name = "force", .help = help, .manual = manual};
}

inline constexpr Option quiet_but_errors{.name = "quiet", .help = "Print only errors"};

/// The options that come after the command's own options in every command that reads dumps.
inline constexpr Option reading_options[] = {
    {.name = "max-memory",
     .kind = ValueKind::limit,
     .placeholder = "SIZE",
     .default_text = "8G",
     .help = "Maximum memory for the data of one file, such as 512M",
     .manual = "The data are the columns of one snapshot, the shared tables, and the data that rules derive "
               "from them.\n"
               "A file that needs more is *undecided*.\n"
               "The program uses at most 64 MB more, and up to twice as much with several threads.\n"
               "If several files are checked at the same time, each may use that much.\n"
               "*SIZE* is a number of bytes, optionally with a suffix such as `K`, `M` or `G`."},
    {.name = "max-expanded",
     .kind = ValueKind::limit,
     .placeholder = "SIZE",
     .default_text = "no limit for one block",
     .help = "Maximum decompressed size of one compressed block, such as 2G",
     .manual =
         "A file with a larger block is *undecided*.\n"
         "All blocks of a file together may decompress to at most this size, 512 MiB, or 300 times their "
         "compressed size, whichever is largest.\n"
         "The option does not apply to a file that is compressed as a whole: its decompressed size may be "
         "at most 4 GiB or 2,000 times its compressed size, whichever is larger, but never more than 1 TiB."},
    {.name = "timeout",
     .kind = ValueKind::count,
     .placeholder = "S",
     .least = 1,
     .most = 1'000'000,
     .default_text = "no limit",
     .help = "Maximum duration of the whole run in seconds",
     .manual =
         "Everything found by then is reported; files that were not read to the end are *undecided*.\n"
         "A run that has not stopped two seconds later, for example because a pipe delivers nothing, ends "
         "without a complete report."},
    {.name = "sandbox",
     .kind = ValueKind::choice,
     .placeholder = "WHEN",
     .choices = [] { return Choices{"on", "off"}; },
     .default_text = "on",
     .help = "Whether to give up access to everything except the named files before reading them",
     .manual = "With `on`, the program also gives up its right to start programs and to create sockets.\n"
               "Each restriction applies only if the kernel supports it: Landlock for files, seccomp for the "
               "rest."},
    {.name = "no-progress",
     .help = "Do not show a progress bar",
     .manual = "Without this option, a progress bar appears on standard error if that is a terminal and "
               "reading takes longer than a second."},
};

/// Joins two lists of options.
template <std::size_t first_count, std::size_t second_count>
constexpr std::array<Option, first_count + second_count> join_options(const Option (&first)[first_count],
                                                                      const Option (&second)[second_count]) {
  std::array<Option, first_count + second_count> all{};
  std::ranges::copy(second, std::ranges::copy(first, all.begin()).out);
  return all;
}

/// For questions and exports that also work for Chrome's traces.
inline constexpr Option process_choice{
    .name = "process",
    .kind = ValueKind::text,
    .placeholder = "PROCESS",
    .hints = [] { return Choices{"renderer", "browser"}; },
    .help =
        "In a Chrome trace, consider only the dumps of this process, given by type (such as renderer or "
        "browser) or by id",
    .manual =
        "*PROCESS* is the id of a process, or the type of a process as the trace names it, in upper or lower "
        "case, such as `renderer`, `browser` or `GPU Process`.\n"
        "Since about version 118 of Chrome, all heap dumps in a trace have the id of the browser; their "
        "memory maps show which process each dump describes. If they do not show it, the process "
        "is unknown."};

/// The options of a command that reads dumps.
template <std::size_t first_count>
constexpr auto and_reading_options(const Option (&own)[first_count]) {
  return join_options(own, reading_options);
}

}  // namespace heapcheck::cli
