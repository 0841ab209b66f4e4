// The command `shell`, for the table of commands.
#pragma once

#include "cli/ask/commands.hpp"
#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace heapcheck::cli {

inline constexpr Command shell_command{
    .name = "shell",
    .help = "Answer any number of questions about a heap, which is read only once",
    .manual =
        "Reads the dump once, and then answers the questions that are typed, or those in a script on "
        "standard input: one line for each, such as `top objects by count`.\n"
        "The questions are the commands from `summary` to `duplicates`, except `tree`, without *FILE*, "
        "`diff` with the indices of two or three snapshots, and `growth` about all of them; `--limit`, "
        "`--output` and the options that only one command has can be given after each.\n"
        "`snapshots` lists the snapshots, `snapshot` *N* selects one, `more` shows the next rows of the "
        "last answer, and `help` lists all commands.\n"
        "Ctrl-C ends an answer, and `exit` ends the shell.\n"
        "In a script, an error does not stop the lines after it, but the exit status is 2.",
    .arguments = heap_arguments,
    .options = question_options,
    .run = run_shell};

}  // namespace heapcheck::cli
