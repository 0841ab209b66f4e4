// The command that shows allocations as a tree of calls, for the table of commands.
#pragma once

#include "cli/ask/commands.hpp"
#include "cli/ask/options.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {

inline constexpr Option tree_options[] = {
    answer_form,
    snapshot_number,
    row_limit,
    {.name = "inverted",
     .help = "Begin with the frames that allocated memory, with their callers below them",
     .manual = "Begins with the frames that allocated memory, with their callers below them."},
    answer_by_force,
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    no_progress};

inline constexpr Command tree_command{
    .name = "tree",
    .help = "Show allocations by call stack, as a tree of calls",
    .manual =
        "Shows the calls that hold the most memory, each indented below its caller.\n"
        "The size is that of the memory that a frame allocated itself, and the cumulative size includes "
        "what it called.\n"
        "Works for the heap dumps in Chrome's traces and for V8's sampling profiles.",
    .arguments = heap_arguments,
    .options = tree_options,
    .run = run_tree};

}  // namespace heapcheck::cli
