// The options of the commands that answer questions about a heap.
#pragma once

#include "cli/reading_options.hpp"

namespace heapcheck::cli {

inline constexpr Option answer_form =
    output_form([] { return Choices{"text", "json", "ndjson", "csv"}; }, "Format of the answer",
                "`json` is one document, and `ndjson` has one line for each row.");
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

inline constexpr auto path_options = and_reading_options(
    {answer_form,
     snapshot_number,
     row_limit,
     {.name = "paths",
      .kind = ValueKind::count,
      .placeholder = "N",
      .least = 1,
      .most = 1000,
      .default_text = "1",
      .help = "Show up to N paths, shortest first",
      .manual = "Each path contains an edge between two nodes that are not connected in any earlier path."},
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

inline constexpr auto suspects_options =
    and_reading_options({answer_form, snapshot_number, row_limit, least_share,
                         percentage("drop", "70",
                                    "Descend from a node to one of its descendants if that descendant "
                                    "retains at least N percent of the memory that the node retains"),
                         answer_by_force});

inline constexpr auto leaks_options =
    and_reading_options({answer_form, snapshot_number, row_limit,
                         percentage("share", "1",
                                    "Show the leaks that retain at least N percent of the new memory or, if "
                                    "nothing is compared, of the heap"),
                         answer_by_force});

}  // namespace heapcheck::cli
