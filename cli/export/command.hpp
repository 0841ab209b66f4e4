// The command `export`, for the table of commands.
#pragma once

#include "cli/command_table.hpp"
#include "cli/reading_options.hpp"
#include "heapcheck/export.hpp"

namespace heapcheck::cli {

int run_export(const Values& values);

inline constexpr Argument export_arguments[] = {
    {.name = "IN", .kind = ValueKind::file, .help = "The dump to read; - is standard input"}};

inline constexpr Option export_options[] = {
    {.name = "to",
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
     .manual = "The form to write.\n"
               "`heapsnapshot` is a MoarVM heap as a V8 heap snapshot, which Chrome DevTools and memlab "
               "open. An object has the same id in every snapshot of a dump if as many objects of its type "
               "are before it; the dump does not tell whether it is the same object.\n"
               "`collapsed` has one line for each call stack, as flamegraph.pl, inferno and speedscope read "
               "it; `speedscope` is the JSON of speedscope; `pprof` is the compressed protocol buffer of "
               "pprof, with types and allocators as labels; `dhat` is the JSON that the viewer of valgrind's "
               "DHAT reads.\n"
               "`sqlite`, `csv`, `ndjson` and `parquet` are tables of nodes, edges, types and strings or, "
               "for call stacks, of "
               "stacks and allocations."},
    {.name = "output-file",
     .short_name = 'o',
     .kind = ValueKind::file,
     .is_required = true,
     .placeholder = "OUT",
     .help = "The file to write; - is standard output",
     .manual = "The file to write; `-` is standard output.\n"
               "An existing file is replaced, but only once the result is complete; *IN* is never "
               "replaced."},
    {.name = "snapshot",
     .kind = ValueKind::count,
     .placeholder = "K",
     .least = 0,
     .most = UINT32_MAX,
     .default_text = "the last one that has memory",
     .help = "Export snapshot K, counted from 0",
     .manual = "Exports snapshot *K*, counted from 0."},
    {.name = "all-snapshots",
     .help = "Export all snapshots; the files are numbered",
     .manual = "Exports all snapshots.\n"
               "A form that holds one snapshot gets a file for each, with its number before the "
               "extension. Tables have the rows of all snapshots.",
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
     .manual = "Writes only this table, to *OUT* itself.\n"
               "Without this option, `csv`, `ndjson` and `parquet` write each table to a file of its own: "
               "`heap-nodes.csv`, `heap-edges.csv` and others for `heap.csv`."},
    {.name = "shard",
     .kind = ValueKind::text,
     .placeholder = "I/N",
     .help = "Write only part I of N equal parts of the rows of each table",
     .manual = "Writes only part *I* of *N* of the rows of each table, which counts from 1.\n"
               "All parts, one after another, are the whole table. So several machines can share the work."},
    {.name = "force",
     .help = "Export the intact parts of a damaged file",
     .manual = "Exports the intact parts of a damaged file.\n"
               "Without this option, a damaged file is not exported, and the exit status is 1."},
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    quiet_but_errors,
    no_progress,
};

inline constexpr Command export_command{
    .name = "export",
    .help = "Write what is in a heap dump in a form that another tool reads",
    .manual =
        "Writes what is in the dump *IN* to *OUT* in a form that another tool reads.\n"
        "Forms for call stacks show the allocations in Chrome's heap dumps and in V8's sampling profiles; "
        "of the graph of another dump, they show the dominator tree by type: each type below the type that "
        "keeps it alive. Tables can be queried with SQL, also on several machines.\n"
        "A damaged dump is not exported without `--force`.",
    .arguments = export_arguments,
    .options = export_options,
    .run = run_export};

}  // namespace heapcheck::cli
