// The `mcp` command, for the command table.
#pragma once

#include <algorithm>
#include <array>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/reading_options.hpp"

namespace heapcheck::cli {

inline constexpr auto root_and_reading_options = and_reading_options(
    {{.name = "root",
      .kind = ValueKind::text,
      .is_repeated = true,
      .placeholder = "FOLDER",
      .default_text = "the current folder",
      .help = "Read and write only files in this folder",
      .manual =
          "Symbolic links that lead out of it are not followed. Relative paths start at the first folder.\n"
          "The option may be given several times."}});

/// Without `timeout`, which would end the server even while nothing is asked.
inline constexpr auto mcp_options = [] {
  std::array<Option, root_and_reading_options.size() - 1> kept{};
  std::ranges::copy_if(root_and_reading_options, kept.begin(),
                       [](const Option& option) { return option.name != "timeout"; });
  return kept;
}();

inline constexpr Command mcp_command{
    .name = "mcp",
    .help =
        "Answer the questions of an agent: a server of the Model Context Protocol on standard input and "
        "output",
    .manual =
        "An agent starts the program itself; `docs/agents.md` shows how to add it to common clients.\n"
        "The tools are the questions from `summary` to `growth`, and `open`, `close`, `list`, `more`, "
        "`validate`, "
        "`explain`, `recover` and `report`. None of them runs code. Only `recover` and `report` write files, "
        "and never to a file that exists.\n"
        "Opened dumps stay in memory within `--max-memory`; the one that was used least recently is removed "
        "first, "
        "and read again when it is needed.\n"
        "An answer has at most 8 KB; the tool `more` shows the rest. Each says what to ask next.\n"
        "Strings from a dump are marked as data, because a dumped program may contain text that is addressed "
        "to an "
        "agent.",
    .options = mcp_options,
    .run = run_mcp};

}  // namespace heapcheck::cli
