// The commands about rules and configuration files, for the table of commands.
#pragma once

#include "cli/about/command.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/config/rule_options.hpp"

namespace heapcheck::cli {

inline constexpr Option rules_options[] = {{.name = "output",
                                            .kind = ValueKind::choice,
                                            .placeholder = "FORM",
                                            .choices = [] { return Choices{"text", "json", "md"}; },
                                            .default_text = "text",
                                            .help = "Format of the list",
                                            .manual = "The format of the list; `md` is Markdown."}};

inline constexpr Option config_options[] = {
    {.name = "output",
     .kind = ValueKind::choice,
     .placeholder = "FORM",
     .choices = [] { return Choices{"text", "json"}; },
     .default_text = "text",
     .help = "Format of the list",
     .manual = "The format of the list: `text`, which is itself a configuration file, or `json`."},
    config_file,
    no_config};

inline constexpr Argument config_arguments[] = {
    {.name = "PATH", .is_optional = true, .help = "The file or folder to look up; by default, this folder"}};

inline constexpr Argument rules_arguments[] = {
    {.name = "GLOB", .is_optional = true, .help = "Which rules to list, such as mvm3 or 'json.*'"}};
inline constexpr Argument rule_arguments[] = {
    {.name = "ID",
     .help = "The id of the rule, such as mvm3.toc.entry-bounds, or a pattern such as mvm3",
     .hints = [](std::size_t) { return rule_ids(); }}};

inline constexpr Command rules_command{
    .name = "rules",
    .help = "List all rules: id, severity, and what must hold",
    .manual = "Lists all rules with their id, severity and title, or those that *GLOB* stands for.",
    .arguments = rules_arguments,
    .options = rules_options,
    .run = run_rules};

inline constexpr Command explain_command{
    .name = "explain",
    .help = "Explain a rule: what must hold, why, and how to deal with a violation",
    .manual =
        "Explains the rule *ID*: its title, its reason, an example of a violation, advice, and the "
        "paragraph of the specification that states the rule.\n"
        "If *ID* stands for several rules, such as `mvm3`, they are listed.",
    .arguments = rule_arguments,
    .run = run_explain};

inline constexpr Command config_command{
    .name = "config",
    .help = "Show the settings that are in force for a file, and where they come from",
    .manual =
        "Shows the settings of the configuration file that are in force for *PATH*, with the line that "
        "each comes from, and the defaults of the others.",
    .arguments = config_arguments,
    .options = config_options,
    .run = run_config};

}  // namespace heapcheck::cli
