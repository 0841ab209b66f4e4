// The commands that answer questions about what holds memory, for the table of commands.
#pragma once

#include "cli/ask/commands.hpp"

namespace heapcheck::cli {

inline constexpr Argument optional_node_arguments[] = {
    heap_argument,
    {.name = "ID", .is_optional = true, .help = "The node at the top, as for show (default: the root)"}};

inline constexpr Argument suspects_arguments[] = {
    heap_argument,
    {.name = "LATER",
     .kind = ValueKind::file,
     .is_repeated = true,
     .is_optional = true,
     .help = "Later dumps of the same program, oldest first: shows what grew"}};

inline constexpr Option dominators_options[] = {
    answer_form,
    snapshot_number,
    row_limit,
    {.name = "by-type",
     .help = "Put nodes of one type in one row",
     .manual = "Puts nodes of one type whose dominators are in one row into one row, too."},
    answer_by_force,
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    no_progress};

inline constexpr Option suspects_options[] = {
    answer_form,
    snapshot_number,
    row_limit,
    {.name = "share",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 1,
     .most = 100,
     .default_text = "20",
     .help = "Show what retains at least N percent of the heap, or of its growth",
     .manual = "Shows what retains at least *N* percent of the heap or, with several dumps, of its growth."},
    {.name = "drop",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 1,
     .most = 100,
     .default_text = "70",
     .help = "Go on from a node to one below it that retains at least N percent of the same memory",
     .manual = "Goes on from a node to one that it dominates as long as that retains at least *N* percent of "
               "what the node retains itself."},
    answer_by_force,
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    no_progress};

inline constexpr Command suspects_command{
    .name = "suspects",
    .help = "Show what to look at first: the parts of the heap that retain the most",
    .manual =
        "Shows nodes, and groups of nodes of one type, that retain a large share of the heap, each with the "
        "reason and the path that leads there.\n"
        "From a node that retains much, the search goes on to the place where the memory accumulates.\n"
        "With several files, or with one that has several snapshots, shows what grew from the first to the "
        "last. In snapshots of one process by V8, that is what was allocated since the first, is alive in "
        "all "
        "later ones, and is recognised by its ids. Other dumps are compared by the types on the way down the "
        "dominator tree.",
    .arguments = suspects_arguments,
    .options = suspects_options,
    .run = run_suspects};

inline constexpr Command retained_command{
    .name = "retained",
    .help = "Show the nodes that retain the most memory",
    .manual =
        "Shows the nodes that retain the most: what would be freed if the node were.\n"
        "Retained sizes must not be added up, because one may be part of another.",
    .arguments = heap_arguments,
    .options = question_options,
    .run = run_retained};

inline constexpr Command dominators_command{
    .name = "dominators",
    .help = "Show the part of the dominator tree that retains the most",
    .manual =
        "Shows the largest nodes of the dominator tree below the root or the node *ID*.\n"
        "A node dominates another if every path from the root to the other leads through it. So each node "
        "retains everything below it.",
    .arguments = optional_node_arguments,
    .options = dominators_options,
    .run = run_dominators};

inline constexpr Command unreachable_command{
    .name = "unreachable",
    .help = "Show the nodes that cannot be reached from the root",
    .manual =
        "Shows the nodes that cannot be reached from the root by edges that retain their targets. They may "
        "hold each other.",
    .arguments = heap_arguments,
    .options = question_options,
    .run = run_unreachable};

inline constexpr Command duplicates_command{
    .name = "duplicates",
    .help = "Show equal strings, and the memory that they waste",
    .manual =
        "Shows strings that occur several times, and the memory that all but one of them take up.\n"
        "MoarVM heap dumps do not have the contents of strings.",
    .arguments = heap_arguments,
    .options = question_options,
    .run = run_duplicates};

}  // namespace heapcheck::cli
