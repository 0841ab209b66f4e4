// The options that choose what is reported, and the configuration files that can set them.
#pragma once

#include "cli/command_table.hpp"

namespace heapcheck::cli {

inline constexpr Option select_rules{
    .name = "select",
    .kind = ValueKind::rules,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB",
    .default_text = "all rules",
    .help = "Report only rules whose ids match, such as mvm3.toc or 'json.*'",
    .manual =
        "Reports only the rules that *GLOB* stands for: an id, or the start of ids up to a dot (`mvm3`), "
        "both with `*` for any characters and `?` for one.\n"
        "Several are separated by commas, or the option is repeated.\n"
        "Limits that were reached are always reported."};

inline constexpr Option ignore_rules{
    .name = "ignore",
    .kind = ValueKind::rules,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB",
    .help = "Do not report rules whose ids match",
    .manual =
        "Does not report the rules that *GLOB* stands for, even if they are selected.\n"
        "They do not affect the exit status, and the report states how many findings were ignored.\n"
        "A file whose bytes do not follow the grammar remains *not well-formed*."};

inline constexpr Option rule_severity{
    .name = "severity",
    .kind = ValueKind::severities,
    .is_repeated = true,
    .is_configurable = true,
    .placeholder = "GLOB=LEVEL",
    .help = "Report rules whose ids match as error, warning or note, or not at all (off)",
    .manual =
        "Reports the rules that *GLOB* stands for as `error`, `warning` or `note`, or with `off` not at "
        "all.\n"
        "If several levels are given for a rule, the last one counts."};

inline constexpr Option config_file{
    .name = "config",
    .kind = ValueKind::file,
    .placeholder = "FILE",
    .default_text = "the nearest .heapcheck.toml",
    .help = "Configuration file to use for all files",
    .manual =
        "Uses this configuration file for all files.\n"
        "Without it, the file *.heapcheck.toml* in the folder of a checked file is used, or else the "
        "one in the nearest folder above it."};

inline constexpr Option no_config{
    .name = "no-config",
    .help = "Use no configuration file",
    .manual = "Uses no configuration file: neither can files that come with a dump hide its findings.",
    .excludes = "config"};

inline constexpr Option statistics{
    .name = "statistics",
    .help = "End a report as text or json with the number of findings of each rule, and the slowest files",
    .manual =
        "Ends a report as `text` or `json` with the number of findings of each rule in all files, the most "
        "frequent rule first, and with up to five files that took longer than a second.\n"
        "The last line of the text is still the number of files."};

}  // namespace heapcheck::cli
