// What the commands that write a dump from a dump share: where input and output are, and how what came of it
// is told.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/report.hpp"
#include "heapcheck/result.hpp"

namespace heapcheck::cli {

struct RewriteSettings {
  std::string input;
  std::string output;
  bool in_place = false;
  std::string to;
  int level = 0;
  Limits limits;
  bool quiet = false;
  bool no_progress = false;

  [[nodiscard]] bool shows_progress() const { return !quiet && !no_progress; }
  /// Where the result goes: the output, or with --in-place the input.
  [[nodiscard]] const std::string& target_path() const { return in_place ? input : output; }
};

/// Of what both commands have: IN, -o, --in-place, --to, --level, the limits, --quiet and --no-progress.
RewriteSettings make_rewrite_settings(const Values& values);

/// Says on standard error why these paths do not go together, and returns false then.
bool check_paths(const RewriteSettings& settings);

/// Opens the input and checks it, with its progress told.
struct CheckedInput {
  Dump dump;
  Report report;
};
Result<CheckedInput> check_input(const RewriteSettings& settings, Progress& progress);

/// One line a loss, each with its count and reason.
std::string describe_losses(const std::vector<Loss>& losses);

/// Says on standard error why nothing was written, and returns the exit status for that. An error of writing
/// is about the output, all others about the input.
int report_error(const RewriteSettings& settings, const Error& error);

/// Prints what was done: to standard output, or to standard error where that took the result.
void print_summary(const RewriteSettings& settings, const std::string& text);

}  // namespace heapcheck::cli
