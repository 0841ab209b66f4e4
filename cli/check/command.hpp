// The command `validate`, for the table of commands.
#pragma once

#include "cli/check/file_options.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/config/rule_options.hpp"
#include "cli/reading_options.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {

struct NamedForm {
  std::string_view name;
  ReportForm form;
};
inline constexpr NamedForm report_forms[] = {
    {"text", ReportForm::text},     {"json", ReportForm::json},   {"ndjson", ReportForm::ndjson},
    {"sarif", ReportForm::sarif},   {"junit", ReportForm::junit}, {"github", ReportForm::github},
    {"gitlab", ReportForm::gitlab},
};

inline constexpr Argument validate_arguments[] = {
    {.name = "PATH",
     .kind = ValueKind::file,
     .is_repeated = true,
     .is_optional = true,
     .help = "Files or folders to check; - is standard input; required without --files-from"}};
inline constexpr Option validate_options[] = {
    {.name = "output",
     .kind = ValueKind::choice,
     .placeholder = "FORM",
     .choices =
         [] {
           Choices names;
           for (const NamedForm& named : report_forms) names.emplace_back(named.name);
           return names;
         },
     .default_text = "text",
     .help = "Form of the report",
     .manual =
         "The form of the report:\n"
         "`text`, with one line for each finding; `json`, one document for all files; `ndjson`, one "
         "line of JSON for each file; `sarif`, SARIF 2.1.0; `junit`, JUnit XML with a test case for each "
         "file; `github`, annotations of GitHub; or `gitlab`, a code quality report of GitLab."},
    {.name = "output-file",
     .kind = ValueKind::file,
     .placeholder = "FILE",
     .help = "Write the report to FILE instead of standard output",
     .manual = "Writes the report to *FILE* instead of standard output."},
    files_from,
    excluded_files,
    file_shard,
    report_cache,
    known_findings,
    written_baseline,
    select_rules,
    ignore_rules,
    rule_severity,
    {.name = "fail-level",
     .kind = ValueKind::choice,
     .is_configurable = true,
     .placeholder = "LEVEL",
     .choices = [] { return Choices{"error", "warning", "note"}; },
     .default_text = "error",
     .help = "Lowest severity for which the exit status is 1",
     .manual = "The lowest severity for which the exit status is 1."},
    {.name = "exit-zero",
     .help = "Exit with status 0 even if there are findings",
     .manual = "Exits with status 0 even if there are findings.\n"
               "Files that cannot be read, undecided files and wrong usage still have their statuses."},
    {.name = "error-on-undecided",
     .help = "Treat a file that reaches a limit like one with an error",
     .manual = "Exits with status 1 instead of 5 if a limit was reached."},
    {.name = "max-per-rule",
     .kind = ValueKind::count,
     .is_configurable = true,
     .placeholder = "N",
     .least = 0,
     .most = 10000,
     .default_text = "20",
     .help = "Maximum number of findings to show for each rule; the rest are only counted",
     .manual =
         "Shows at most *N* findings of each rule for each file; one line states how many more there are."},
    {.name = "for",
     .kind = ValueKind::choice,
     .is_configurable = true,
     .placeholder = "READER",
     .choices =
         [] {
           const auto names = reader_names();
           Choices choices(names.begin(), names.end());
           choices.emplace_back("all");
           return choices;
         },
     .default_text = "none",
     .help = "Also check what this reader needs beyond the format",
     .manual = "Also checks what this reader needs beyond the format: an error means that the reader fails, "
               "a warning that it misrepresents the content of the file. A file in a format that it does not "
               "support cannot be checked (exit status 4); in a folder, it is skipped.\n"
               "`all` prints a table instead, as text or JSON: which readers open, misread or fail on each "
               "file, and why."},
    config_file,
    no_config,
    statistics,
    {.name = "jobs",
     .kind = ValueKind::count,
     .placeholder = "N",
     .least = 1,
     .most = 256,
     .default_text = "one per core",
     .help = "Number of threads",
     .manual = "Checks *N* files at the same time, or fewer with several threads each.\n"
               "The report does not depend on *N*, unless the limit on memory is nearly reached."},
    max_memory,
    max_expanded,
    timeout,
    sandbox,
    {.name = "quiet",
     .help = "Print one line for each file that fails, and nothing else",
     .manual = "Prints one line for each file that fails: one with findings at or above the fail level, one "
               "that cannot be read, or an undecided one.\n"
               "Reports of a different form than `text` are complete, but no notes are printed."},
    no_progress,
    {.name = "color",
     .kind = ValueKind::choice,
     .placeholder = "WHEN",
     .choices = [] { return Choices{"auto", "always", "never"}; },
     .default_text = "auto",
     .help = "When to use colours in the text report",
     .manual = "When to use colours in the text report: `auto` uses colours on a terminal, unless `NO_COLOR` "
               "is set."},
};

inline constexpr Command validate_command{
    .name = "validate",
    .help = "Check heap dumps against the rules of their format",
    .manual =
        "Checks each *PATH* and reports findings.\n"
        "`-` is standard input; a folder is searched recursively.\n"
        "A file that is given more than once is checked once.\n"
        "Files of unknown format in a folder are skipped and counted, unless they have the extension "
        "of a dump (*.mvmheap*, *.heapsnapshot*, *.heaptimeline* or *.heapprofile*, optionally "
        "followed by *.gz* or *.zst*): those are reported, with exit status 4.",
    .arguments = validate_arguments,
    .options = validate_options,
    .run = run_validate};

}  // namespace heapcheck::cli
