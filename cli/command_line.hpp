// Reads the command line according to the command table.
#pragma once

#include <expected>
#include <string>

#include "cli/command_table.hpp"
#include "cli/values.hpp"

namespace heapcheck::cli {

/// A command and the values that were given to it.
struct CommandLine {
  const Command* command;
  Values values;
};

/// Why no command is run: the user asked for the help or the version, or there is a usage error.
struct NoCommand {
  std::string output = {};  ///< for standard output
  std::string error = {};   ///< one sentence; empty if nothing is wrong
};

std::expected<CommandLine, NoCommand> read_command_line(int argc, const char* const* argv);

}  // namespace heapcheck::cli
