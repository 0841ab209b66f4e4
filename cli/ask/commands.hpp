// The commands that answer questions about a heap, for the command table.
#pragma once

#include "cli/ask/comparing_options.hpp"
#include "cli/ask/options.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {

inline constexpr Argument heap_argument{
    .name = "FILE", .kind = ValueKind::file, .help = "The dump to read; - is standard input"};
inline constexpr Argument id_argument{
    .name = "ID",
    .help =
        "The node: its id in the file, such as 42840 or @42840, or row:N for the Nth node, counted from 0",
    .expected = "the id of a node, such as 42840"};
inline constexpr Argument query_argument{
    .name = "QUERY",
    .is_repeated = true,
    .help =
        "objects, types, stables, frames, strings, roots or nodes, then any number of conditions, as in "
        "'objects type=\"ABC\" size>1000'. A condition is type, repr, name or kind with = != ~ and text; id, "
        "size or retained with = != < <= > >= and a number; allocated with one of these and a time; "
        "detached; or held-by with = != and detached-dom, console, event-handlers or contexts",
    .expected = "a query, such as 'objects size>1000'",
    .hints = [](std::size_t index) {
      if (index == 0)
        return Choices{"objects", "types", "stables", "frames", "strings", "roots", "nodes", "detached"};
      return Choices{"type=",     "repr=",      "name=",    "kind=",    "id=", "size>",
                     "retained>", "allocated>", "detached", "held-by=", "by"};
    }};

inline constexpr Argument heap_arguments[] = {heap_argument};
inline constexpr Argument node_arguments[] = {heap_argument, id_argument};
inline constexpr Argument path_arguments[] = {
    heap_argument,
    {.name = "ID",
     .is_repeated = true,
     .help = "The node: its id in the file, such as 42840 or @42840, or row:N for the Nth node, counted from "
             "0; with --merged, a query for nodes, as for find",
     .expected = "the id of a node, such as 42840, or with --merged a query, such as 'objects size>1000'",
     .hints = query_argument.hints}};
inline constexpr Argument query_arguments[] = {heap_argument, query_argument};
inline constexpr Argument top_arguments[] = {
    heap_argument,
    {.name = "WHAT",
     .choices = rows_of.choices,
     .help = "What to count: objects, types, stables, frames, closures, kinds, strings or allocators"},
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
     .is_about_dump = true,
     .help = "The words `every N`, to show only every Nth snapshot"}};
inline constexpr Argument top_node_arguments[] = {
    heap_argument,
    {.name = "ID", .is_optional = true, .help = "The node at the top, as for show (default: the root)"}};
inline constexpr Command summary_command{
    .name = "summary",
    .help = "Show the size of each snapshot and the kinds of nodes in it",
    .manual =
        "For each snapshot, the numbers of nodes and edges and the change in size are shown; for the last "
        "one, the kinds of nodes are also shown.\n"
        "`every` *N* shows only every *N*th snapshot.",
    .arguments = summary_arguments,
    .options = trace_question_options};

inline constexpr Command top_command{
    .name = "top",
    .help = "Show the types, functions, frames, kinds, strings or allocators that take up the most memory",
    .manual =
        "`objects` are grouped by type; `kinds` are the node kinds that the format defines. Among dumps with "
        "objects, only those from V8 have `strings` and `closures`, and only those from MoarVM have `types` "
        "(type objects), `stables` (tables that MoarVM keeps for each type) and `frames` (of running "
        "functions).\n"
        "The size is the size of the nodes themselves. The retained size is the memory that would be freed "
        "along with them; nothing is counted twice.\n"
        "`objects`, `types`, `stables`, `frames` and `closures` are grouped by name and place in the source "
        "code: types or functions with the same name share a row if they start at the same line and column "
        "of the same file. An empty name is shown as `<anon>`.\n"
        "Sizes include memory that the runtime does not manage.\n"
        "Chrome's heap dumps have `frames`, `types` and `allocators`, and sampling profiles have `frames` "
        "and `kinds`. V8 timelines recorded with allocation stacks also have `frames`. The size of a frame "
        "is "
        "the amount of memory that it allocated itself; its cumulative size also includes what was allocated "
        "by the frames that it called. Functions with the same name that start at different places are "
        "different "
        "frames.\n"
        "In timelines, `Allocated` is V8's own count of objects, live or dead. There can be more live nodes "
        "than that, because V8 shrinks and moves objects, and several nodes can share a stack.",
    .arguments = top_arguments,
    .options = trace_question_options};

inline constexpr Command tree_command{
    .name = "tree",
    .help = "Show allocations by call stack, as a tree of calls",
    .manual =
        "Shows the calls that account for the most memory, each indented below its caller.\n"
        "The size is the amount of memory that a frame allocated itself; the cumulative size also includes "
        "what was allocated by the frames that it called.\n"
        "Works for heap dumps in Chrome's traces, V8 sampling profiles, and V8 timelines recorded with "
        "allocation stacks. For a timeline, the sizes cover only nodes that are still alive. `Allocated` is "
        "V8's own count of objects, live or dead. There can be more live nodes than that, because V8 "
        "shrinks "
        "and moves objects, and several nodes can share a stack. Nodes without a stack are left out.",
    .arguments = heap_arguments,
    .options = tree_options};

inline constexpr Command find_nodes_command{
    .name = "find",
    .help = "Find the nodes that match a query",
    .manual =
        "*QUERY* is `objects`, `types`, `stables`, `frames`, `strings`, `roots` or `nodes` (all of these), "
        "followed by any number of conditions.\n"
        "A condition compares `type`, `repr`, `name` or `kind` with text (`=`, `!=`, or `~`, which means "
        "'contains the text' and is case-sensitive), or `id`, `size`, `retained` or `allocated` with a "
        "number (`=`, `!=`, `<`, `<=`, `>`, `>=`).\n"
        "Sizes are in bytes; suffixes, as in `10K` or `10M`, are powers of 1024.\n"
        "In V8's timelines, `allocated` is the time since the recording began, such as `2s` or `500ms`; a "
        "node's time is that of the first sample after its allocation.\n"
        "A node must meet all conditions. The type of a closure is `(closure)`; if no node has the given "
        "type, `type` selects the closures of the function with that name. If no node has the text "
        "that a condition with `=` requires, the exit status is 2.\n"
        "With `by size`, `by retained`, `by allocated` or `by id` at the end, the nodes are sorted, largest "
        "first.\n"
        "Put a query in quotes, because `<` and `>` have a special meaning in the shell.",
    .arguments = query_arguments,
    .options = question_options};

}  // namespace heapcheck::cli
