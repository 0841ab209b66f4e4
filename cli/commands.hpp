// The commands of the heapcheck program. Each command has its own file. Its function takes the values from
// the command line and returns the exit status.
#pragma once

#include <string_view>

#include "cli/values.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

/// Exit statuses.
enum ExitStatus : int {
  sound = 0,
  findings = 1,    ///< there are findings at or above the fail level
  usage = 2,       ///< there is a usage error, or the output cannot be written
  lossy = 3,       ///< the output was written, but something was lost
  unreadable = 4,  ///< the input is unreadable or has an unknown format
  undecided = 5,   ///< a limit was reached
};

/// The exit status for a dump that could not be read.
constexpr int status_of(ErrorKind kind) {
  if (is_limit(kind)) return undecided;
  return kind == ErrorKind::unsupported ? usage : unreadable;
}

/// Prints an error to standard error and returns `usage`.
int refuse_usage(std::string_view why);
/// Prints that standard input cannot be read, where `code` is the value of errno, and returns `unreadable`.
int refuse_input(int code);

int run_validate(const Values& values);
/// `validate --for all`.
int run_readers(const Values& values);
int run_info(const Values& values);
int run_convert(const Values& values);
int run_recover(const Values& values);
/// Asks the question with that name.
int run_question(std::string_view name, const Values& values);
int run_assert(const Values& values);
int run_shell(const Values& values);
int run_rules(const Values& values);
int run_explain(const Values& values);
int run_config(const Values& values);
int run_export(const Values& values);
int run_report(const Values& values);
int run_mcp(const Values& values);
int run_completion(const Values& values);

}  // namespace heapcheck::cli
