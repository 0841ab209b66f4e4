// The command that checks whether heaps meet rules, for the command table.
#pragma once

#include "cli/ask/leak_commands.hpp"

namespace heapcheck::cli {

inline constexpr auto assert_options = and_reading_options(
    {{.name = "rules",
      .kind = ValueKind::file,
      .placeholder = "FILE",
      .help = "Read the rules from FILE, a TOML file",
      .manual =
          "`rules` is a list of rules for all formats, and the sections `[heapsnapshot]`, `[heapprofile]` "
          "and "
          "`[mvmheap]` have lists for one format.\n"
          "`known` names a list of known leaks, as `--known` does; its path is relative to the folder of "
          "*FILE*."},
     {.name = "rule",
      .kind = ValueKind::text,
      .is_repeated = true,
      .placeholder = "RULE",
      .hints = [] { return Choices{"absent", "at-most", "not-rising", "slope-at-most", "no-new-leak"}; },
      .help = "A rule, such as 'at-most 100 objects type=\"Foo\"'; may be given several times",
      .manual =
          "`absent` *QUERY*: no node of the last snapshot matches.\n"
          "`at-most` *AMOUNT* *WHAT* *QUERY*: the nodes of the last snapshot that match do not exceed the "
          "amount. *WHAT* is `count` (the default), `size` or `retained`, and *AMOUNT* is a number, such as "
          "`100` or `10M`, or a share of the heap, such as `5%`.\n"
          "`not-rising` *AMOUNT* *WHAT* *QUERY*: they do not grow by more than the amount (by default 0) in "
          "every step from one snapshot to the next. This takes three or more snapshots; a share refers to "
          "the earlier snapshot of a step.\n"
          "`slope-at-most` *AMOUNT* *WHAT* *QUERY*: on average, they do not grow by more than the amount for "
          "each snapshot; a share refers to the first snapshot.\n"
          "`no-new-leak` *AMOUNT*: no leak of the program grows in every step by the amount (by default 0.1 "
          "% of the heap) or more, apart from known leaks.\n"
          "A rule that begins with `heapsnapshot:`, `heapprofile:` or `mvmheap:` applies only to dumps in "
          "that format."},
     {.name = "known",
      .kind = ValueKind::file,
      .placeholder = "FILE",
      .help = "Allow the leaks whose fingerprints are in FILE, which --write-known writes"},
     {.name = "write-known",
      .kind = ValueKind::file,
      .placeholder = "FILE",
      .help = "Write the fingerprints of all known and new leaks to FILE",
      .manual = "The file may be the one that `--known` names."},
     answer_or_report_form,
     summary_file,
     {.name = "limit",
      .kind = ValueKind::count,
      .placeholder = "N",
      .most = UINT32_MAX,
      .help = "Maximum number of conditions in the text; 0 for all (default: 20)"},
     answer_by_force});

inline constexpr Command assert_command{
    .name = "assert",
    .help = "Check that a heap, or what becomes of it, meets rules: a guard against leaks in tests and CI",
    .manual =
        "Checks each rule. For each rule that is violated, shows what was expected, what was found, and "
        "the "
        "path to the node that retains the most.\n"
        "The exit status is 0 if all rules hold, 1 if a rule is violated, and 5 if none is violated but a "
        "rule cannot be decided, for example because it needs more snapshots. If a file is too damaged to "
        "give an answer, it is 4.",
    .arguments = suspects_arguments,
    .options = assert_options,
    .run = run_assert};

}  // namespace heapcheck::cli
