// The options of the commands that answer questions about a heap.
#pragma once

#include "cli/command_table.hpp"
#include "cli/reading_options.hpp"

namespace heapcheck::cli {

inline constexpr Option answer_form{
    .name = "output",
    .kind = ValueKind::choice,
    .placeholder = "FORM",
    .choices = [] { return Choices{"text", "json", "ndjson", "csv"}; },
    .default_text = "text",
    .help = "Format of the answer",
    .manual =
        "The format of the answer: `text`; `json`, one document; `ndjson`, one line for each row; or "
        "`csv`."};
inline constexpr Option snapshot_number{
    .name = "snapshot",
    .kind = ValueKind::count,
    .placeholder = "K",
    .least = 0,
    .most = UINT32_MAX,
    .help = "Ask about snapshot K, counted from 0 (default: the last; for summary, all of them)",
    .manual =
        "Asks about snapshot *K*, counted from 0.\n"
        "Without this option, `summary` is about all snapshots, and other questions are about the last."};
inline constexpr Option row_limit{
    .name = "limit",
    .kind = ValueKind::count,
    .placeholder = "N",
    .least = 0,
    .most = UINT32_MAX,
    .help = "Maximum number of rows; 0 for all (default: 20 in text, otherwise all)",
    .manual =
        "Shows at most *N* rows; with 0, all of them.\n"
        "By default, text has 20 rows, and the other formats have all."};
inline constexpr Option answer_by_force{
    .name = "force",
    .help = "Answer about the intact parts of a damaged file",
    .manual =
        "Answers about the intact parts of a damaged file.\n"
        "Without this option, a damaged file gives no answer, and the exit status is 1."};

inline constexpr Option question_options[] = {answer_form,     snapshot_number, row_limit,
                                              answer_by_force, max_memory,      max_expanded,
                                              timeout,         sandbox,         no_progress};

inline constexpr Option path_options[] = {
    answer_form,
    snapshot_number,
    row_limit,
    {.name = "paths",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 1,
     .most = 1000,
     .default_text = "1",
     .help = "Show up to N paths, the shortest first",
     .manual =
         "Shows up to *N* paths, the shortest first. Each has an edge between two nodes that none before "
         "it has."},
    {.name = "merged",
     .help = "Show the shortest paths to all nodes that a query describes, as one tree",
     .manual =
         "Shows the shortest paths to all nodes that *ID* describes, a query as for `find`, as one tree. "
         "Nodes of one type that edges of the same name lead to share a row.",
     .excludes = "paths"},
    answer_by_force,
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    no_progress};

/// For answers that are never cut.
inline constexpr Option whole_answer_options[] = {
    answer_form, snapshot_number, answer_by_force, max_memory, max_expanded, timeout, sandbox, no_progress};

}  // namespace heapcheck::cli
