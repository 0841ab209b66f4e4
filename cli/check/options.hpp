// The options of `validate` that select files, known findings, rules and configuration files. A configuration
// file can set some of the options.
#pragma once

#include "cli/command_table.hpp"

namespace heapcheck::cli {

inline constexpr Option files_from{
    .name = "files-from",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Also check the files and folders that FILE lists, one per line; - is standard input",
    .manual =
        "If the list contains NULs, such as those that `find -print0` writes, its items are separated by "
        "NULs instead."};

inline constexpr Option excluded_files{
    .name = "exclude",
    .kind = ValueKind::text,
    .is_repeated = true,
    .placeholder = "GLOB",
    .default_text = "none",
    .help = "Leave out files whose paths match GLOB, such as '*.tmp' or '*/old/*'",
    .manual =
        "In *GLOB*, `*` matches any characters, including slashes.\n"
        "A *GLOB* without a slash is matched against the file name only."};

inline constexpr Option file_shard{
    .name = "shard",
    .kind = ValueKind::text,
    .placeholder = "I/N",
    .help = "Check only part I of N equal parts of the files",
    .manual =
        "*I* counts from 1.\n"
        "The part to which a file belongs depends only on its size and its first and last 64 KiB. A file is "
        "therefore always in the same part, and each file is in exactly one part."};

inline constexpr Option report_cache{
    .name = "cache",
    .kind = ValueKind::file,
    .placeholder = "DIR",
    .help = "Keep reports in DIR, and do not reread files that have not changed",
    .manual =
        "The folder is created if necessary. The cache lets a run be resumed or repeated.\n"
        "A file is not read again if its path, inode, size and timestamps, 16 blocks of its content, the "
        "options and the program are unchanged.\n"
        "A program that changes a file through a memory mapping may leave the file's timestamps unchanged, "
        "so such a change to other blocks goes unnoticed.\n"
        "Files that cannot be read, reach a limit, or were changed in the last two seconds are always read.\n"
        "Several runs may use the same folder, and its files may be deleted at any time."};

inline constexpr Option known_findings{
    .name = "baseline",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Do not report the known findings in FILE",
    .manual =
        "`--write-baseline` writes such a file. The report states which of the findings in *FILE* are gone.\n"
        "A finding is recognised by its file, rule, path and message, ignoring any numbers in them, so it is "
        "still recognised at a different offset or row. A limit is recognised by its file and rule.\n"
        "A file that is known to be unreadable or undecided is left out of the report if nothing else is "
        "found in it, and does not affect the exit status."};

inline constexpr Option written_baseline{
    .name = "write-baseline",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .help = "Write the findings to FILE, for use with --baseline",
    .manual =
        "The file is text with one line for each finding.\n"
        "A file that cannot be read, or reaches a limit, is also recorded as a finding.",
    .excludes = "baseline"};

inline constexpr Option select_rules{
    .name = "select",
    .kind = ValueKind::rules,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB",
    .default_text = "all rules",
    .help = "Report only rules whose ids match GLOB, such as mvm3.toc or 'json.*'",
    .manual =
        "*GLOB* is an id, or the part of an id before a dot (such as `mvm3`), which matches every id that "
        "begins with it. In both, `*` matches any characters, and `?` matches one.\n"
        "Several patterns are separated by commas, or the option is repeated.\n"
        "Limits that were reached are always reported."};

inline constexpr Option ignore_rules{
    .name = "ignore",
    .kind = ValueKind::rules,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB",
    .help = "Do not report rules whose ids match GLOB",
    .manual =
        "These rules are not reported even if they are selected.\n"
        "They do not affect the exit status, and the report states how many of their findings were ignored.\n"
        "A file whose bytes do not follow the grammar remains *not well-formed*."};

inline constexpr Option rule_severity{
    .name = "severity",
    .kind = ValueKind::severities,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB=LEVEL",
    .help =
        "Change the severity of rules whose ids match GLOB to error, warning or note, or do not report them "
        "(off)",
    .manual = "If several levels are given for a rule, the last one applies."};

inline constexpr Option hidden_level{
    .name = "hide",
    .kind = ValueKind::choice,
    .is_configurable = true,
    .placeholder = "LEVEL",
    .choices = [] { return Choices{"note", "warning"}; },
    .default_text = "nothing",
    .help = "Omit notes, or both warnings and notes",
    .manual =
        "Omitted findings do not affect the exit status, and the report states how many were ignored.\n"
        "`--severity` is applied first. Limits that were reached are always reported."};

inline constexpr Option config_file{
    .name = "config",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .default_text = "the nearest .heapcheck.toml",
    .help = "Configuration file to use for all files",
    .manual =
        "Without it, heapcheck uses *.heapcheck.toml* in the folder that contains the file being checked or, "
        "if there is none, in the nearest folder above it that has one."};

inline constexpr Option no_config{.name = "no-config",
                                  .help = "Use no configuration file",
                                  .manual = "This way, files that come with a dump cannot hide its findings.",
                                  .excludes = "config"};

}  // namespace heapcheck::cli
