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
    force("Answer about the intact parts of a damaged file",
          "Without this option, questions about a damaged file are not answered unless the damage cannot "
          "change the answer; the exit status is 4.");

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
      .manual = "*ID* is then a query, as with `find`. Nodes of one type share a row if edges with the same "
                "name lead to them.",
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
                          .help = "Put nodes of one type in one row",
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

inline constexpr auto suspects_options = and_reading_options(
    {answer_form, snapshot_number, row_limit,
     percentage("share", "20", "Show the parts that retain at least N percent of the heap, or of its growth"),
     percentage("drop", "70",
                "Go down from a node to one below it that retains at least N percent of the same memory"),
     answer_by_force});

// Options for the commands that compare snapshots.

inline constexpr Option rows_of{
    .name = "of",
    .kind = ValueKind::choice,
    .placeholder = "WHAT",
    .choices =
        [] { return Choices{"objects", "types", "stables", "frames", "kinds", "strings", "allocators"}; },
    .default_text = "objects, or frames if there are none",
    .help = "What to count, as for top",
    .manual = "Chrome's heap dumps and sampling profiles have no objects."};

constexpr Option rows_by(std::string_view fallback) {
  return {.name = "by",
          .kind = ValueKind::choice,
          .placeholder = "FIELD",
          .choices = [] { return Choices{"count", "size", "retained", "cumulative"}; },
          .default_text = fallback,
          .help = "Sort the rows by the change in this field, largest first",
          .manual = "The change is measured from the first snapshot to the last."};
}

inline constexpr Option changes_by = rows_by("retained");
inline constexpr Option growth_by = rows_by("size");

inline constexpr Option fail_on{
    .name = "fail-on",
    .kind = ValueKind::text,
    .is_repeated = true,
    .placeholder = "CONDITION",
    .help =
        "Exit with status 1 if this condition is met; for example, 'type=\"Foo\": count > +1000' or "
        "'retained > "
        "10%'",
    .manual =
        "The row that meets it is printed on standard error.\n"
        "*CONDITION* compares `count`, `size`, `retained` or `cumulative` with a number (`>`, `>=`, `<`, "
        "`<=`).\n"
        "A number is a value in the last snapshot; with a sign, as in `+1000`, or a percent sign, as in "
        "`10%`, it is the change from the first snapshot to the last.\n"
        "`K`, `M` and `G` are powers of 1024.\nA condition applies to the heap as a whole, unless it begins "
        "with `type=\"Foo\":`, or `type~\"Foo\":` for all names that contain *Foo*.\n"
        "The option may be given several times."};

inline constexpr auto diff_options =
    and_reading_options({answer_form,
                         {.name = "snapshots",
                          .kind = ValueKind::text,
                          .placeholder = "LIST",
                          .hints = [] { return Choices{"all"}; },
                          .help = "Compare these snapshots of one file, such as 0,3 or all",
                          .manual = "Snapshots are counted from 0."},
                         rows_of,
                         changes_by,
                         fail_on,
                         process_choice,
                         row_limit,
                         answer_by_force});

inline constexpr auto growth_options = and_reading_options(
    {answer_form, rows_of, growth_by, fail_on, process_choice, row_limit, answer_by_force});

}  // namespace heapcheck::cli
