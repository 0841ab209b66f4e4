// Code shared by the commands that write files: the paths of input and output, and messages about the
// outcome.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/system/limits.hpp"
#include "formats/core/text/losses.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/types/report.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::cli {

struct RewriteSettings {
  std::string input;
  std::string output;
  bool in_place = false;
  bool keeps_times = false;
  std::string to;
  int level = 0;
  Reading reading;

  /// The path of the result: the output or, with --in-place, the input.
  [[nodiscard]] const std::string& target_path() const { return in_place ? input : output; }
};

/// The settings for the options that both commands have.
RewriteSettings make_rewrite_settings(const Values& values);

/// Checks that the input and output can be used together. If not, prints the reason to standard error and
/// returns false.
bool check_paths(const RewriteSettings& settings);

/// A dump and the report on it.
struct CheckedInput {
  Dump dump;
  Report report;
};
/// Opens the input and checks it. `progress` counts the bytes that are read.
Result<CheckedInput> check_input(const RewriteSettings& settings, Progress& progress);

using core::describe_losses;

/// Prints to standard error the losses that kept `--to` from writing anything, and returns the exit status
/// for this case.
int report_losses(const RewriteSettings& settings, const std::vector<Loss>& losses);

/// Prints to standard error why nothing was written, and returns the exit status for this case. An
/// `unwritable` error concerns the output, and all other errors concern the input.
int report_error(const RewriteSettings& settings, const Error& error);

/// Checks that the output, which may be `-`, is not one of the inputs. If it is one, prints an error and
/// returns false.
bool check_is_no_input(const std::string& output, const std::vector<std::string>& inputs);

/// Prints a summary of the work to standard output, or to standard error if `output`, the path of the result,
/// leads to standard output. If the summary cannot be written, prints the reason and returns false.
bool print_summary(const std::string& output, const std::string& text);

}  // namespace heapcheck::cli
