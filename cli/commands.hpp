// The commands of the heapcheck program: each adds itself to the command line and gives back what
// to run. One file a command.
#pragma once

#include <cstdint>
#include <functional>

// Declared only: its headers take seconds to compile, and most files here do not need them.
namespace CLI {  // NOLINT(readability-identifier-naming): it is CLI11's
class App;
}

namespace heapcheck::cli {

/// Exit statuses; with several files, the largest.
enum ExitStatus : int {
  sound = 0,
  findings = 1,    ///< at or above the fail level
  usage = 2,       ///< wrong usage, or an output that cannot be written
  lossy = 3,       ///< written, but something was lost
  unreadable = 4,  ///< cannot be read, or is of no known format
  undecided = 5,   ///< a limit was reached
};

/// Runs a command whose options have been read; gives the exit status.
using Run = std::function<int()>;

Run add_validate(CLI::App& app);
Run add_info(CLI::App& app);
Run add_convert(CLI::App& app);
Run add_recover(CLI::App& app);
Run add_rules(CLI::App& app);
Run add_explain(CLI::App& app);

/// Adds --max-memory and --max-expanded, which leave 0 where they are not given.
void add_limit_options(CLI::App& command, std::uint64_t& max_memory, std::uint64_t& max_expanded);

}  // namespace heapcheck::cli
