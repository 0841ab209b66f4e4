// The commands of the heapcheck program, one file each. Each takes the values from the command line and
// returns the exit status.
#pragma once

#include "cli/values.hpp"

namespace heapcheck::cli {

/// Exit statuses. With several files, the largest one is returned.
enum ExitStatus : int {
  sound = 0,
  findings = 1,    ///< at or above the fail level
  usage = 2,       ///< wrong usage, or the output cannot be written
  lossy = 3,       ///< written, but something was lost
  unreadable = 4,  ///< unreadable, or of unknown format
  undecided = 5,   ///< a limit was reached
};

int run_validate(const Values& values);
int run_info(const Values& values);
int run_convert(const Values& values);
int run_recover(const Values& values);
int run_rules(const Values& values);
int run_explain(const Values& values);

}  // namespace heapcheck::cli
