// The commands that answer questions about a heap, for the table of commands.
#pragma once

#include "cli/ask/options.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {

inline constexpr Argument heap_argument{
    .name = "FILE", .kind = ValueKind::file, .help = "The dump to read; - is standard input"};
inline constexpr Argument id_argument{
    .name = "ID",
    .help =
        "The node: its id in the file, such as 42840 or @42840, or row:N for the Nth node, counted from 0"};
inline constexpr Argument query_argument{
    .name = "QUERY",
    .is_repeated = true,
    .help =
        "objects, types, stables, frames, strings, roots or nodes; then any number of conditions: type, "
        "repr, name or kind with = != ~ and a text, or id, size or retained with = != < <= > >= and a "
        "number; such as 'objects type=\"ABC\" size>1000'",
    .hints = [](std::size_t index) {
      if (index == 0) return Choices{"objects", "types", "stables", "frames", "strings", "roots", "nodes"};
      return Choices{"type=", "repr=", "name=", "kind=", "id=", "size>", "retained>", "by"};
    }};

inline constexpr Argument heap_arguments[] = {heap_argument};
inline constexpr Argument node_arguments[] = {heap_argument, id_argument};
inline constexpr Argument path_arguments[] = {
    heap_argument,
    {.name = "ID",
     .is_repeated = true,
     .help = "The node: its id in the file, such as 42840 or @42840, or row:N for the Nth node, counted from "
             "0; with --merged, the nodes, "
             "described as for find",
     .hints = query_argument.hints}};
inline constexpr Argument query_arguments[] = {heap_argument, query_argument};
inline constexpr Argument top_arguments[] = {
    heap_argument,
    {.name = "WHAT",
     .choices =
         [] { return Choices{"objects", "types", "stables", "frames", "kinds", "strings", "allocators"}; },
     .help = "What to count: objects, types, stables, frames, kinds, strings or allocators"},
    {.name = "ORDER",
     .is_repeated = true,
     .is_optional = true,
     .help = "by size (the default), by count, by retained or by cumulative",
     .hints = [](std::size_t index) {
       return index == 1 ? Choices{"by"} : Choices{"size", "count", "retained"};
     }}};

inline constexpr Argument summary_arguments[] = {
    heap_argument,
    {.name = "EVERY",
     .is_repeated = true,
     .is_optional = true,
     .help = "The words `every N`: shows only every Nth snapshot"}};

inline constexpr Command summary_command{
    .name = "summary",
    .help = "Show the size of each snapshot, and what kinds of nodes it has",
    .manual =
        "Shows each snapshot with its nodes, edges and size, how the size has changed, and the kinds of "
        "nodes "
        "of the last one.\n"
        "`every` *N* leaves out all snapshots but every *N*th.",
    .arguments = summary_arguments,
    .options = question_options,
    .run = run_summary};

inline constexpr Command top_command{
    .name = "top",
    .help = "Show the types, frames, kinds, strings or allocators that take up the most memory",
    .manual =
        "Counts *WHAT* and shows the largest, by size, by count or by retained size.\n"
        "`objects` are grouped by type; `kinds` are the kinds of nodes of the format. `strings` are only in "
        "V8's files; `types` (type objects), `stables` (tables that MoarVM has for each type) and `frames` "
        "(of functions that are being called) only in those of MoarVM.\n"
        "The size is that of the nodes themselves. The retained size is what would be freed if they were, "
        "which counts nothing twice.\n"
        "`objects`, `types`, `stables` and `frames` are grouped by name: types with the same name share "
        "a row, and `<anon>` stands for an empty name.\n"
        "Sizes include memory that the runtime does not manage.\n"
        "Chrome's heap dumps have `frames`, `types` and `allocators`, and sampling profiles have `frames` "
        "and "
        "`kinds`. The size of a frame is that of the memory that it allocated itself, and the cumulative "
        "size "
        "includes what it called.",
    .arguments = top_arguments,
    .options = question_options,
    .run = run_top};

inline constexpr Command find_nodes_command{
    .name = "find",
    .help = "Find the nodes that fit a description",
    .manual =
        "Lists the nodes that fit *QUERY*: `objects`, `types`, `stables`, `frames`, `strings`, `roots` or "
        "`nodes` (all of these), followed by any number of conditions.\n"
        "A condition compares `type`, `repr`, `name` or `kind` with a text (`=`, `!=`, or `~` for a part "
        "of it, in which upper and lower case differ), or `id`, `size` or `retained` with a number (`=`, "
        "`!=`, "
        "`<`, `<=`, `>`, `>=`).\n"
        "Sizes are bytes, or have a unit of 1024, as in `10K` or `10M`.\n"
        "All conditions must hold.\n"
        "With `by size` or `by retained` at the end, the nodes are sorted, largest first.\n"
        "Put a query into quotes, because `<` and `>` have a meaning for the shell.",
    .arguments = query_arguments,
    .options = question_options,
    .run = run_find};

inline constexpr Command count_command{
    .name = "count",
    .help = "Count the nodes that fit a description",
    .manual = "Counts the nodes that fit *QUERY*, which is written as for `find`, and adds up their sizes.",
    .arguments = query_arguments,
    .options = whole_answer_options,
    .run = run_count};

inline constexpr Command show_command{.name = "show",
                                      .help = "Show a node, the edges from it, and what holds it",
                                      .manual =
                                          "Shows the node *ID*, the nodes that its edges lead to, and the "
                                          "nodes that have edges to it, counted by edge and name.",
                                      .arguments = node_arguments,
                                      .options = question_options,
                                      .run = run_show};

inline constexpr Command path_command{
    .name = "path",
    .help = "Show why a node is still in memory: a shortest path from the root to it",
    .manual =
        "Shows a shortest path from the root to the node *ID*, which is why it is still in memory.\n"
        "With `--merged`, shows the shortest paths to all nodes that a *QUERY* describes, as one tree.",
    .arguments = path_arguments,
    .options = path_options,
    .run = run_path};

inline constexpr Command retainers_command{
    .name = "retainers",
    .help = "Show the nodes that have edges to a node",
    .manual = "Shows the nodes that have edges to the node *ID*, and the names of these edges.",
    .arguments = node_arguments,
    .options = question_options,
    .run = run_retainers};

}  // namespace heapcheck::cli
