// The `validate` command, for the command table.
#pragma once

#include "cli/check/options.hpp"
#include "cli/commands.hpp"
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
inline Choices report_form_names() {
  Choices names;
  for (const NamedForm& named : report_forms) names.emplace_back(named.name);
  return names;
}

inline Choices reader_choices() {
  const auto names = reader_names();
  return {names.begin(), names.end()};
}

inline constexpr auto validate_options = and_reading_options(
    {output_form(
         report_form_names, "Form of the report",
         "`text` has one line for each finding; `json` is one document for all files; `ndjson` has one line "
         "of JSON for each file; `sarif` is SARIF 2.1.0; `junit` is JUnit XML with a test case for each "
         "file; `github` has GitHub annotations; `gitlab` is a GitLab code quality report."),
     {.name = "output-file",
      .kind = ValueKind::file,
      .placeholder = "FILE",
      .help = "Write the report to FILE instead of standard output"},
     files_from,
     excluded_files,
     file_shard,
     report_cache,
     known_findings,
     written_baseline,
     select_rules,
     ignore_rules,
     rule_severity,
     hidden_level,
     {.name = "fail-level",
      .kind = ValueKind::choice,
      .is_configurable = true,
      .placeholder = "LEVEL",
      .choices = [] { return Choices{"error", "warning", "note"}; },
      .default_text = "error",
      .help = "Lowest severity that makes the exit status 1"},
     {.name = "exit-zero",
      .help = "Exit with status 0 even if there are findings",
      .manual = "Unreadable files, undecided files and usage errors still have their own exit statuses."},
     {.name = "error-on-undecided",
      .help = "Treat a file that reaches a limit like a file with an error",
      .manual = "The exit status is then 1 instead of 5."},
     {.name = "max-per-rule",
      .kind = ValueKind::count,
      .is_configurable = true,
      .placeholder = "N",
      .most = 10000,
      .default_text = "20",
      .help = "Maximum number of findings to show for each rule; the rest are only counted",
      .manual = "The maximum applies to each file; one line states how many more findings there are."},
     {.name = "for",
      .kind = ValueKind::choice,
      .is_configurable = true,
      .placeholder = "READER",
      .choices =
          [] {
            Choices choices = reader_choices();
            choices.emplace_back("all");
            return choices;
          },
      .configurable_choices = reader_choices,
      .default_text = "none",
      .help = "Also check the requirements that this reader imposes beyond those of the format",
      .manual = "An error means that the reader fails, and a warning means that it misrepresents the content "
                "of the file. A file in a format that the reader does not support cannot be checked (exit "
                "status 4); in a folder, it is skipped.\n"
                "`all` instead prints a table, as text or JSON, that shows for each file which readers open "
                "it, misread it or fail on it, and why.\n"
                "A configuration file cannot set `all`."},
     config_file,
     no_config,
     {.name = "statistics",
      .help = "End a text or JSON report with the number of findings for each rule and a list of the slowest "
              "files",
      .manual = "The statistics cover all files. Rules are sorted by their number of findings, largest "
                "first; up to five files that took longer than a second are also listed.\n"
                "The last line of a text report is still the number of files."},
     {.name = "jobs",
      .kind = ValueKind::count,
      .placeholder = "N",
      .least = 1,
      .most = 256,
      .default_text = "one per core",
      .help = "Number of threads",
      .manual = "Checks *N* files at the same time, or fewer files with several threads each.\n"
                "The report does not depend on *N*, unless the memory limit is nearly reached."},
     {.name = "quiet",
      .help = "Print one line for each file that fails, and nothing else",
      .manual =
          "A file fails if it has findings at or above the fail level, cannot be read, or is undecided.\n"
          "Reports in formats other than `text` are still complete, but remarks on standard error are "
          "omitted."},
     {.name = "color",
      .kind = ValueKind::choice,
      .placeholder = "WHEN",
      .choices = [] { return Choices{"auto", "always", "never"}; },
      .default_text = "auto",
      .help = "When to use colours in the text report",
      .manual = "`auto` uses colours if the output is a terminal and `TERM` is not `dumb`, or if "
                "`FORCE_COLOR` is set, but never if `NO_COLOR` is set."}});

inline constexpr Command validate_command{
    .name = "validate",
    .help = "Check heap dumps against the rules of their format",
    .manual =
        "A folder is searched recursively.\n"
        "A file that is given more than once is checked only once.\n"
        "Files of unknown format in a folder are skipped and counted, unless they have the extension of a "
        "dump (*.mvmheap*, *.heapsnapshot*, *.heaptimeline* or *.heapprofile*, optionally followed by *.gz* "
        "or *.zst*): these are reported, with exit status 4.",
    .arguments = validate_arguments,
    .options = validate_options,
    .run = run_validate};

}  // namespace heapcheck::cli
