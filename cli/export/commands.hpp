// The commands that write the content of a dump for other programs, for the command table.
#pragma once

#include "cli/commands.hpp"
#include "cli/reading_options.hpp"
#include "heapcheck/export.hpp"

namespace heapcheck::cli {

constexpr Option written_file() {
  Option option = output_file("OUT", "The file to write; - is standard output",
                              "An existing file is replaced, but only once the result is complete; *IN* is "
                              "never replaced.");
  option.is_required = true;
  return option;
}

inline constexpr Argument export_arguments[] = {
    {.name = "IN", .kind = ValueKind::file, .help = "The dump to read; - is standard input"}};

inline constexpr auto export_options = and_reading_options(
    {{.name = "to",
      .kind = ValueKind::choice,
      .is_required = true,
      .placeholder = "FORM",
      .choices =
          [] {
            Choices names;
            for (const ExportForm form : all_export_forms()) names.emplace_back(name_of(form));
            return names;
          },
      .help = "Form to write",
      .manual_of_choices =
          [] {
            std::string text;
            for (const ExportForm form : all_export_forms())
              text.append("`").append(name_of(form)).append("` ").append(manual_of(form)).append("\n");
            return text;
          }},
     written_file(),
     snapshot_index("Export snapshot K, counted from 0", {}, "the last one that is not empty"),
     process_choice,
     {.name = "all-snapshots",
      .help = "Export all snapshots; the files are numbered",
      .manual = "If an output format can hold only one snapshot, each snapshot is written to its own file, "
                "with its number before the extension. Tables contain the rows of all snapshots.",
      .excludes = "snapshot"},
     {.name = "table",
      .kind = ValueKind::choice,
      .placeholder = "TABLE",
      .choices =
          [] {
            Choices names;
            for (const std::string_view name : all_export_tables()) names.emplace_back(name);
            return names;
          },
      .help = "Write only this table, to OUT itself",
      .manual =
          "Without this option, each table is written to its own file in every form except `sqlite`. If "
          "*OUT* is `heap.csv` or `heap`, these files are `heap-nodes.csv`, `heap-edges.csv` and so "
          "on; if it is a folder, they are `nodes.csv`, `edges.csv` and so on in that folder."},
     {.name = "shard",
      .kind = ValueKind::text,
      .placeholder = "I/N",
      .help = "Divide the rows of each table into N equal parts, and write only part I",
      .manual = "*I* counts from 1.\n"
                "All parts in order make up the whole table, so several machines can share the work."},
     force("Export the intact parts of a damaged file",
           "Without this option, a damaged file is not exported, and the exit status is 1."),
     quiet_but_errors});

inline constexpr Command export_command{
    .name = "export",
    .help = "Write the content of a heap dump in a form that another tool reads",
    .manual =
        "The output forms for call stacks show the allocations in Chrome's heap dumps, V8 sampling profiles, "
        "and V8 timelines recorded with allocation stacks; for other dumps, they show the dominator tree by "
        "type, with each type below the type that keeps it alive. Tables can be queried with SQL, even on "
        "several machines.\n"
        "A damaged dump is not exported without `--force`.",
    .arguments = export_arguments,
    .options = export_options,
    .run = run_export};

inline constexpr Argument report_arguments[] = {
    {.name = "IN",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help = "The dump to read (- is standard input), or several dumps of one program, oldest first"}};

inline constexpr auto report_options = and_reading_options(
    {written_file(),
     {.name = "json",
      .help = "Write only the page's data, as JSON",
      .manual = "The JSON is described by `spec/heap-report.schema.json`."},
     snapshot_index("Report only on snapshot K of each file, counted from 0", {},
                    "all, with the last one in detail"),
     process_choice,
     least_share,
     force("Report on the intact parts of a damaged file",
           "Without this option, no report on a damaged file is written, and the exit status is 1."),
     quiet_but_errors});

inline constexpr Command report_command{
    .name = "report",
    .help = "Write a page with charts of memory usage and growth",
    .manual =
        "The page is one HTML file, which a browser can open offline. It also describes the file *IN* and "
        "lists the findings about it.\n"
        "If there are several snapshots, the page also shows what changed from the first to the last. With "
        "several files, their last snapshots are compared.\n"
        "The page is at most 3 MB; it states which small parts of a large heap it leaves out.",
    .arguments = report_arguments,
    .options = report_options,
    .run = run_report};

}  // namespace heapcheck::cli
