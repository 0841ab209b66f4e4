// The command `report`, for the table of commands.
#pragma once

#include "cli/command_table.hpp"
#include "cli/reading_options.hpp"

namespace heapcheck::cli {

int run_report(const Values& values);

inline constexpr Argument report_arguments[] = {
    {.name = "IN",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help = "The dump to read; - is standard input. Or several dumps of one program, oldest first"}};

inline constexpr Option report_options[] = {
    {.name = "output-file",
     .short_name = 'o',
     .kind = ValueKind::file,
     .is_required = true,
     .placeholder = "OUT",
     .help = "The file to write; - is standard output",
     .manual = "The file to write; `-` is standard output.\n"
               "An existing file is replaced, but only once the result is complete; *IN* is never "
               "replaced."},
    {.name = "json",
     .help = "Write the data of the page as JSON, instead of the page",
     .manual = "Writes the data of the page as JSON, as described by `spec/heap-report.schema.json`, instead "
               "of the page."},
    {.name = "snapshot",
     .kind = ValueKind::count,
     .placeholder = "K",
     .least = 0,
     .most = UINT32_MAX,
     .default_text = "all, with the last one in detail",
     .help = "Report only on snapshot K of each file, counted from 0",
     .manual = "Reports only on snapshot *K* of each file, counted from 0."},
    {.name = "force",
     .help = "Report on the intact parts of a damaged file",
     .manual = "Reports on the intact parts of a damaged file.\n"
               "Without this option, a damaged file gives no report, and the exit status is 1."},
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    quiet_but_errors,
    no_progress,
};

inline constexpr Command report_command{
    .name = "report",
    .help = "Write a page with pictures of what holds the memory, and of what grew",
    .manual =
        "Writes one HTML file about the dump *IN*, which a browser shows without a network: what the file "
        "is, the findings about it, and pictures of what holds the memory.\n"
        "If there are several snapshots, the page also shows what changed from the first to the last. Of "
        "several files, the last snapshots are compared.\n"
        "The page is at most 3 MB; it says which small parts of a large heap it leaves out.",
    .arguments = report_arguments,
    .options = report_options,
    .run = run_report};

}  // namespace heapcheck::cli
