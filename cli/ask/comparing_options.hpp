// Options for the commands that compare snapshots: diff and growth.
#pragma once

#include <string_view>

#include "cli/ask/options.hpp"

namespace heapcheck::cli {

inline constexpr Option rows_of{.name = "of",
                                .kind = ValueKind::choice,
                                .placeholder = "WHAT",
                                .choices =
                                    [] {
                                      return Choices{"objects",  "types", "stables", "frames",
                                                     "closures", "kinds", "strings", "allocators"};
                                    },
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
        "Each row that meets it is printed to standard error.\n"
        "*CONDITION* compares `count`, `size`, `retained` or `cumulative` with a number (`>`, `>=`, `<`, "
        "`<=`).\n"
        "A number is a value in the last snapshot; with a sign, as in `+1000`, or a percent sign, as in "
        "`10%`, it is the change from the first snapshot to the last.\n"
        "`K`, `M` and `G` are powers of 1024.\n"
        "A condition applies to the heap as a whole, unless it begins with `type=\"Foo\":`, or "
        "`type~\"Foo\":` for all names that contain *Foo*. If no type has the name, the condition applies to "
        "the functions with that name. A name may also be written as answers print it, with its place: "
        "`type=\"render (app.js:41)\":`.\n"
        "The option may be given several times."};

inline constexpr Option strict_names{
    .name = "strict-names",
    .help = "Fail with status 2 if a --fail-on condition contains a name that occurs in no snapshot",
    .manual =
        "Without this option, such a name only causes a warning, because a leak that is gone is good news."};

inline constexpr auto diff_options =
    and_reading_options({answer_or_report_form,
                         summary_file,
                         {.name = "snapshots",
                          .kind = ValueKind::text,
                          .placeholder = "LIST",
                          .hints = [] { return Choices{"all"}; },
                          .help = "Compare these snapshots of one file, such as 0,3 or all",
                          .manual = "Snapshots are counted from 0."},
                         rows_of,
                         changes_by,
                         fail_on,
                         strict_names,
                         process_choice,
                         row_limit,
                         answer_by_force});

inline constexpr auto growth_options =
    and_reading_options({answer_or_report_form, summary_file, rows_of, growth_by, fail_on, strict_names,
                         process_choice, row_limit, answer_by_force});

}  // namespace heapcheck::cli
