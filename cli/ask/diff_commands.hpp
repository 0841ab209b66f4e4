// The commands that compare snapshots, for the table of commands.
#pragma once

#include "cli/ask/commands.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/reading_options.hpp"

namespace heapcheck::cli {

inline constexpr Option rows_of{
    .name = "of",
    .kind = ValueKind::choice,
    .placeholder = "WHAT",
    .choices =
        [] { return Choices{"objects", "types", "stables", "frames", "kinds", "strings", "allocators"}; },
    .default_text = "objects",
    .help = "What to count, as for top; frames by default if there are no objects",
    .manual =
        "Counts *WHAT*, as `top` does. Without this option, it counts the frames of Chrome's heap dumps "
        "and of sampling profiles, which have no objects."};

constexpr Option rows_by(std::string_view fallback) {
  return {
      .name = "by",
      .kind = ValueKind::choice,
      .placeholder = "FIELD",
      .choices = [] { return Choices{"count", "size", "retained", "cumulative"}; },
      .default_text = fallback,
      .help = "Show the rows first in which this changes most",
      .manual = "Shows the rows first in which *FIELD* changes most from the first snapshot to the last."};
}

inline constexpr Option fail_on{
    .name = "fail-on",
    .kind = ValueKind::text,
    .is_repeated = true,
    .placeholder = "CONDITION",
    .help = "Exit with status 1 if this holds, such as 'type=\"Foo\": count > +1000' or 'retained > 10%'",
    .manual =
        "Exits with status 1 if *CONDITION* holds for a row, and prints the row on standard error.\n"
        "*CONDITION* compares `count`, `size`, `retained` or `cumulative` with a number (`>`, `>=`, `<`, "
        "`<=`).\n"
        "A number is a value in the last snapshot; with a sign, as in `+1000`, or a percent sign, as in "
        "`10%`, it is the change from the first to the last.\n"
        "`K`, `M` and `G` are units of 1024.\n"
        "A condition is about the heap as a whole, unless it begins with `type=\"Foo\":`, or `type~\"Foo\":` "
        "for all names that contain *Foo*.\n"
        "The option may be given several times."};

inline constexpr Option diff_options[] = {
    answer_form,
    {.name = "snapshots",
     .kind = ValueKind::text,
     .placeholder = "LIST",
     .hints = [] { return Choices{"all"}; },
     .help = "Compare these snapshots of one file, such as 0,3 or all",
     .manual = "Compares snapshots of one file, counted from 0: two or more, such as `0,3`, or `all`."},
    rows_of,
    rows_by("retained"),
    fail_on,
    row_limit,
    answer_by_force,
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    no_progress,
};

inline constexpr Option growth_options[] = {
    answer_form, rows_of,      rows_by("size"), fail_on, row_limit,   answer_by_force,
    max_memory,  max_expanded, timeout,         sandbox, no_progress,
};

inline constexpr Argument diff_arguments[] = {
    {.name = "FILE",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help = "Two or three dumps, oldest first, of which the last snapshots are compared; or one, with "
             "--snapshots"}};

inline constexpr Command diff_command{
    .name = "diff",
    .help = "Show what changes from one snapshot to another",
    .manual =
        "Compares the last snapshots of two or three files, or the snapshots of one file that "
        "`--snapshots` names, and shows the types that take up more or less memory.\n"
        "Types that do not change are left out.\n"
        "The text shows each number in the last snapshot, and the change from one snapshot to the next; with "
        "more than three snapshots, the number in the first and in the last, and the change between them.",
    .arguments = diff_arguments,
    .options = diff_options,
    .run = run_diff};

inline constexpr Argument growth_arguments[] = {
    {.name = "FILE",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help = "The dump with the snapshots; or several dumps, oldest first"}};

inline constexpr Command growth_command{
    .name = "growth",
    .help = "Show what grows over all snapshots of a file, or of several",
    .manual =
        "Compares all snapshots of the files and shows the types that grow most from the first to the last.\n"
        "Of a trace with the heap dumps of several processes, compares those of the process that has the "
        "first one.\n"
        "`rising` marks those that grow from each snapshot to the next; `json`, `ndjson` and `csv` have "
        "the numbers of all snapshots.",
    .arguments = growth_arguments,
    .options = growth_options,
    .run = run_growth};

}  // namespace heapcheck::cli
