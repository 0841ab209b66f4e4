// The commands about retained memory and leaks, for the command table.
#pragma once

#include "cli/ask/commands.hpp"

namespace heapcheck::cli {

inline constexpr Argument suspects_arguments[] = {
    heap_argument,
    {.name = "LATER",
     .kind = ValueKind::file,
     .is_repeated = true,
     .is_optional = true,
     .is_about_dump = true,
     .help = "Later dumps of the same program, oldest first, to show what grew"}};

inline constexpr Command suspects_command{
    .name = "suspects",
    .help = "Show what to look at first: the parts of the heap that retain the most memory",
    .manual =
        "Shows nodes, and groups of nodes of one type, that retain a large share of the heap, each with the "
        "reason and the path that leads to it.\n"
        "From a node that retains a lot of memory, the search continues to the place where the memory "
        "accumulates.\n"
        "With several files, or with one that contains several snapshots, shows what grew from the first "
        "snapshot to the last. In V8's snapshots of one process, this means the nodes that were allocated "
        "after the first snapshot and are alive in all later ones; nodes are recognised by their ids. Other "
        "dumps are compared by the types on each path down the dominator tree.",
    .arguments = suspects_arguments,
    .options = suspects_options};

inline constexpr Command leaks_command{
    .name = "leaks",
    .help = "Show the memory that leaks from one dump to later ones, grouped by the paths that lead to it",
    .manual =
        "Groups the nodes that are new since the first snapshot by the path that leads to them, and shows "
        "each group with its fingerprint, the number of its nodes, their retained size, and the path to one "
        "of them. A new node that other new nodes hold is counted with the outermost of them.\n"
        "In V8's snapshots of one process, the new nodes are those that were allocated after the first "
        "snapshot and are alive in all later ones: take one before and one after an action that should leave "
        "nothing behind. For other dumps, and for a single snapshot, it groups the nodes that `suspects` "
        "finds.\n"
        "The fingerprint is computed from those types, variables, properties and files on the path that the "
        "program itself determines. Ids, numbers and lines are left out, so the same leak has the same "
        "fingerprint in other builds and runs.\n"
        "Chrome traces and sampling profiles show call stacks rather than paths, so they are refused.",
    .arguments = suspects_arguments,
    .options = leaks_options};

}  // namespace heapcheck::cli
