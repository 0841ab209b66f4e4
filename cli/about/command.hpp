// The command `completion`, the option `--verbose`, and ids of rules as arguments, for the table of commands.
#pragma once

#include "cli/command_table.hpp"
#include "cli/values.hpp"

namespace heapcheck::cli {

/// The ids of all rules, with which a shell completes an argument or an option.
Choices rule_ids();

int run_completion(const Values& values);

inline constexpr Argument completion_arguments[] = {{.name = "SHELL",
                                                     .choices = [] { return Choices{"bash", "zsh", "fish"}; },
                                                     .help = "The shell: bash, zsh or fish"}};

inline constexpr Command completion_command{
    .name = "completion",
    .help = "Print a script with which a shell completes the words of a command line",
    .manual =
        "Prints a script for *SHELL*, with which that shell completes commands, options, their values, ids "
        "of rules and names of files.\n"
        "For bash, put `source <(heapcheck completion bash)` into *~/.bashrc*; for zsh, write the script to "
        "a file *_heapcheck* in a folder of *fpath*; for fish, write it to "
        "*~/.config/fish/completions/heapcheck.fish*.",
    .arguments = completion_arguments,
    .run = run_completion};

inline constexpr Option verbose_version{
    .name = "verbose",
    .help = "With --version: also print how the program was built, its libraries and the formats",
    .manual = "With `--version`: also prints how the program was built, its libraries and the formats."};

}  // namespace heapcheck::cli
