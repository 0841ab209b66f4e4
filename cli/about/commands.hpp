// The commands that concern rules, configuration files and the program itself, for the command table.
#pragma once

#include "cli/check/options.hpp"
#include "cli/commands.hpp"
#include "cli/reading_options.hpp"

namespace heapcheck::cli {

/// The ids of all rules. Shells use them to complete arguments and options.
Choices rule_ids();

inline constexpr Option rules_options[] = {
    output_form([] { return Choices{"text", "json", "md"}; }, "Format of the list", "`md` is Markdown.")};
inline constexpr Argument rules_arguments[] = {
    {.name = "GLOB",
     .is_optional = true,
     .help = "The rules to list, such as mvm3 or 'json.*'; separate several with commas"}};
inline constexpr Command rules_command{.name = "rules",
                                       .help = "List all rules with their ids, severities and requirements",
                                       .manual = "With *GLOB*, lists only the rules that it matches.",
                                       .arguments = rules_arguments,
                                       .options = rules_options,
                                       .run = run_rules};

inline constexpr Argument rule_arguments[] = {
    {.name = "ID",
     .help = "The id of a rule, such as mvm3.toc.entry-bounds, or a pattern, such as mvm3; separate several "
             "with commas",
     .expected = "the id of a rule, such as mvm3.toc.entry-bounds",
     .hints = [](std::size_t) { return rule_ids(); }}};
inline constexpr Command explain_command{
    .name = "explain",
    .help = "Explain a rule: what it requires, why, and how to deal with a violation",
    .manual =
        "A rule is shown with its title, its reason, an example of a violation, advice, and the paragraph of "
        "the specification that states it.\n"
        "If *ID* matches several rules, as `mvm3` and `json,mvm3.toc` do, they are listed.",
    .arguments = rule_arguments,
    .run = run_explain};

inline constexpr Option config_options[] = {
    output_form([] { return Choices{"text", "json"}; }, "Format of the list",
                "`text` writes a valid configuration file."),
    config_file, no_config};
inline constexpr Argument config_arguments[] = {
    {.name = "PATH",
     .is_optional = true,
     .help = "The file or folder to look up; by default, the current folder"}};
inline constexpr Command config_command{
    .name = "config",
    .help = "Show the settings in effect for a file, and where they come from",
    .manual =
        "Each setting from the configuration file for *PATH* is shown with its line number; every other "
        "setting is shown with its default.",
    .arguments = config_arguments,
    .options = config_options,
    .run = run_config};

inline constexpr Argument completion_arguments[] = {{.name = "SHELL",
                                                     .choices = [] { return Choices{"bash", "zsh", "fish"}; },
                                                     .help = "The shell: bash, zsh or fish"}};
inline constexpr Command completion_command{
    .name = "completion",
    .help = "Print a script that lets a shell complete command lines",
    .manual =
        "The script completes commands, options and their values, rule ids and file names.\n"
        "For bash, put `source <(heapcheck completion bash)` into *~/.bashrc*; for zsh, write the script to "
        "a file named *_heapcheck* in a folder of *fpath*; for fish, write it to "
        "*~/.config/fish/completions/heapcheck.fish*.",
    .arguments = completion_arguments,
    .run = run_completion};

}  // namespace heapcheck::cli
