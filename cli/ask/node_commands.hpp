// The commands that answer questions about nodes or compare snapshots, and the shell, which answers many
// questions in one session. For the command table.
#pragma once

#include "cli/ask/leak_commands.hpp"

namespace heapcheck::cli {

inline constexpr Command count_command{
    .name = "count",
    .help = "Count the nodes that match a query",
    .manual = "*QUERY* has the same form as for `find`. The sizes of the nodes are also added up.",
    .arguments = query_arguments,
    .options = whole_answer_options};

inline constexpr Command show_command{
    .name = "show",
    .help = "Show a node, its outgoing edges and its incoming edges",
    .manual = "The nodes that have edges to it are counted by edge and name, with the id of the first node.",
    .arguments = node_arguments,
    .options = question_options};

inline constexpr Command path_command{
    .name = "path",
    .help = "Show why a node is still in memory: a shortest path from the root to it",
    .manual = "With `--merged`, shows the shortest paths to all nodes that match a *QUERY*, as one tree.",
    .arguments = path_arguments,
    .options = path_options};

inline constexpr Command retainers_command{.name = "retainers",
                                           .help = "Show the nodes that have edges to a node",
                                           .manual = "Each is shown with the name of its edge.",
                                           .arguments = node_arguments,
                                           .options = question_options};

inline constexpr Command retained_command{
    .name = "retained",
    .help = "Show the nodes that retain the most memory",
    .manual =
        "A node retains the memory that would be freed along with it.\n"
        "Retained sizes must not be added up, because one may include another.",
    .arguments = heap_arguments,
    .options = question_options};

inline constexpr Command dominators_command{
    .name = "dominators",
    .help = "Show the part of the dominator tree that retains the most memory",
    .manual =
        "The largest nodes are shown below the root or the node *ID*.\n"
        "A node dominates another if every path from the root to the other leads through it. Therefore, each "
        "node retains everything below it.",
    .arguments = top_node_arguments,
    .options = dominators_options};

inline constexpr Command unreachable_command{
    .name = "unreachable",
    .help = "Show the nodes that cannot be reached from the root",
    .manual = "Only edges that retain their targets are followed. Unreachable nodes may refer to each other.",
    .arguments = heap_arguments,
    .options = question_options};

inline constexpr Command duplicates_command{.name = "duplicates",
                                            .help = "Show equal strings and the memory that they waste",
                                            .manual =
                                                "All but one of several equal strings waste memory.\n"
                                                "MoarVM heap dumps do not include the contents of strings.",
                                            .arguments = heap_arguments,
                                            .options = question_options};

inline constexpr Argument diff_arguments[] = {
    {.name = "FILE",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help =
         "Two or three dumps, oldest first, to compare their last snapshots; or one dump, with --snapshots"}};
inline constexpr Command diff_command{
    .name = "diff",
    .help = "Show what changes from one snapshot to another",
    .manual =
        "Compares the last snapshots of two or three files, or the snapshots of one file that `--snapshots` "
        "names, and shows the types whose memory use has increased or decreased.\n"
        "Types that do not change are left out.\n"
        "In Chrome traces, each dump is compared only with dumps of the same process, one process after the "
        "other. Processes in two files are considered the same if they have the same type and id, or if they "
        "have the same type and each is the only process in its file or the only one that `--process` "
        "selects.\n"
        "The text output shows each figure as of the last snapshot, and how it changed from each snapshot to "
        "the next (in columns such as `0 to 1`). With more than three snapshots, it shows only the first and "
        "last values and the change between them.",
    .arguments = diff_arguments,
    .options = diff_options};

inline constexpr Argument growth_arguments[] = {
    {.name = "FILE",
     .kind = ValueKind::file,
     .is_repeated = true,
     .help = "A dump with several snapshots; or several dumps, oldest first"}};
inline constexpr Command growth_command{
    .name = "growth",
    .help = "Show what grows over all snapshots of one or more files",
    .manual =
        "The types that grow the most from the first snapshot to the last are listed first.\n"
        "In a Chrome trace, the dumps of each process are compared with each other, one process after the "
        "other, and `--fail-on` applies to each of them. Dumps of unknown processes are left out.\n"
        "`rising` marks the types that grow from each snapshot to the next; `json`, `ndjson` and `csv` "
        "contain the numbers for all snapshots.",
    .arguments = growth_arguments,
    .options = growth_options};

/// All questions, in the order in which the help lists them.
inline constexpr Command question_commands[] = {
    summary_command,     suspects_command,   leaks_command,    top_command,
    tree_command,        find_nodes_command, count_command,    show_command,
    path_command,        retainers_command,  retained_command, dominators_command,
    unreachable_command, duplicates_command, diff_command,     growth_command};

inline constexpr Argument shell_arguments[] = {
    {.name = "FILE",
     .kind = ValueKind::file,
     .help = "The dump to read; the questions come from standard input"}};
inline constexpr Command shell_command{
    .name = "shell",
    .help = "Read a heap once, then answer any number of questions about it",
    .manual =
        "The questions are typed, or come from a script on standard input. Each is one line, such as `top "
        "objects by count`.\n"
        "They are the commands from `summary` to `duplicates`, all without *FILE*; `diff`, with the indices "
        "of up to three snapshots (a single one is compared with the last); and `growth`, for all snapshots. "
        "Each may be followed by `--limit`, `--output` and the options that are specific to that command.\n"
        "`snapshots` lists the snapshots, `snapshot` *N* selects one, `more` shows the next rows of the last "
        "answer, and `help` or `?` lists all commands or describes one.\n"
        "Ctrl-C interrupts an answer, and `exit` or `q` ends the shell.\n"
        "In a script, the lines after an error are still run, but the exit status is 2.",
    .arguments = shell_arguments,
    .options = question_options,
    .run = run_shell};

}  // namespace heapcheck::cli
