// The options of the commands that answer questions about a heap.
#pragma once

#include "cli/reading_options.hpp"

namespace heapcheck::cli {

inline constexpr Option answer_form =
    output_form([] { return Choices{"text", "json", "ndjson", "csv"}; }, "Format of the answer",
                "`json` is one document, and `ndjson` has one line for each row.");
/// The same for questions with conditions, about which there are also reports.
inline constexpr Option answer_or_report_form = output_form(
    [] { return Choices{"text", "json", "ndjson", "csv", "markdown", "sarif", "junit", "github", "gitlab"}; },
    "Format of the answer, or of a report on its conditions",
    "`json` is one document, and `ndjson` has one line for each row.\n"
    "The reports contain the conditions and their outcomes: `markdown` is for a comment on a pull request, "
    "with "
    "folded paths; `sarif` is SARIF 2.1.0; `junit` is JUnit XML with a test case for each condition; "
    "`github` "
    "has GitHub annotations; `gitlab` is a GitLab code quality report.");
inline constexpr Option summary_file{
    .name = "summary",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Also add the report in Markdown to FILE, such as \"$GITHUB_STEP_SUMMARY\"",
    .manual =
        "The report is the same as with `--output markdown`. It is added to the end of the file, so that "
        "several commands can share it."};
inline constexpr Option snapshot_number =
    snapshot_index("Ask about snapshot K, counted from 0 (default: the last; for summary, all of them)");
inline constexpr Option row_limit{
    .name = "limit",
    .kind = ValueKind::count,
    .placeholder = "N",
    .most = UINT32_MAX,
    .help = "Maximum number of rows; 0 for all (default: 20 in text, otherwise all)"};
inline constexpr Option answer_by_force =
    force("Answer from the intact parts of a damaged file",
          "Without this option, a question about a damaged file is answered only if the damage cannot change "
          "the answer; otherwise, the exit status is 4.");

/// The options for every question about a snapshot whose answer may be shortened.
inline constexpr auto question_options =
    and_reading_options({answer_form, snapshot_number, row_limit, answer_by_force});
/// The same for questions that can also be asked about a Chrome trace.
inline constexpr auto trace_question_options =
    and_reading_options({answer_form, snapshot_number, process_choice, row_limit, answer_by_force});
inline constexpr auto whole_answer_options =
    and_reading_options({answer_form, snapshot_number, answer_by_force});

/// A path to one node is always shown as a whole.
inline constexpr Option merged_row_limit{
    .name = row_limit.name,
    .kind = ValueKind::count,
    .placeholder = "N",
    .most = UINT32_MAX,
    .help = "Maximum number of rows with --merged; 0 for all (default: 20 in text, otherwise all)"};

inline constexpr auto path_options = and_reading_options(
    {answer_form,
     snapshot_number,
     merged_row_limit,
     {.name = "paths",
      .kind = ValueKind::count,
      .placeholder = "N",
      .least = 1,
      .most = 1000,
      .default_text = "1",
      .help = "Show up to N paths, shortest first",
      .manual = "Each path contains an edge between two nodes that are not connected in any earlier path. No "
                "more paths are shown once they have 250,000 nodes in total."},
     {.name = "merged",
      .help = "Show the shortest paths to all nodes that match a query, as one tree",
      .manual = "*ID* is then a query, as with `find`. Nodes of the same type share a row if edges with the "
                "same name lead to them.",
      .excludes = "paths"},
     answer_by_force});

inline constexpr auto tree_options = and_reading_options(
    {answer_form,
     snapshot_number,
     process_choice,
     row_limit,
     {.name = "inverted",
      .help = "Start with the frames that allocated memory, and show their callers below them"},
     answer_by_force});

inline constexpr auto dominators_options =
    and_reading_options({answer_form,
                         snapshot_number,
                         row_limit,
                         {.name = "by-type",
                          .help = "Group nodes of the same type into one row",
                          .manual = "Nodes share a row only if their dominators do."},
                         answer_by_force});

constexpr Option percentage(std::string_view name, std::string_view default_text, std::string_view help) {
  return {.name = name,
          .kind = ValueKind::count,
          .placeholder = "N",
          .least = 1,
          .most = 100,
          .default_text = default_text,
          .help = help};
}

inline constexpr Option least_share = percentage(
    "share", "20",
    "Show the parts that retain at least N percent of the heap or, if snapshots are compared, of its growth");

inline constexpr Option fail_on_part{
    .name = "fail-on",
    .kind = ValueKind::text,
    .is_repeated = true,
    .placeholder = "CONDITION",
    .help =
        "Exit with status 1 if an entry of the answer meets this condition; for example, 'retained > 10M' or "
        "'type=\"Foo\": count > 100'",
    .manual =
        "Each entry that meets it is printed to standard error.\n"
        "*CONDITION* compares `count`, which is the number of nodes, or `retained` with a number (`>`, `>=`, "
        "`<`, "
        "`<=`); with a percent sign, as in `retained > 10%`, the number is the share that the answer shows.\n"
        "`type=\"Foo\":` or `type~\"Foo\":` in front of it selects entries by the name of their type, as for "
        "`diff`.\n"
        "If there are several snapshots, the conditions concern only what is new.\n"
        "The option may be given several times."};

inline constexpr auto suspects_options =
    and_reading_options({answer_or_report_form, summary_file, snapshot_number, row_limit, least_share,
                         percentage("drop", "70",
                                    "Descend from a node to one of its descendants if that descendant "
                                    "retains at least N percent of the memory that the node retains"),
                         fail_on_part, answer_by_force});

inline constexpr auto leaks_options =
    and_reading_options({answer_or_report_form, summary_file, snapshot_number, row_limit,
                         percentage("share", "1",
                                    "Show the leaks that retain at least N percent of the new memory or, if "
                                    "nothing is compared, of the heap"),
                         fail_on_part, answer_by_force});

}  // namespace heapcheck::cli
