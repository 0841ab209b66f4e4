// What the commands that write a dump from a dump share: where input and output are, and that the
// output gets its name only when it is complete, and never in place of the input unless asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "formats/core/output_file.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/limits.hpp"
#include "heapcheck/result.hpp"
#include "validate/validate.hpp"

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

/// Says on standard error why these paths do not go together, and gives false then.
bool check_paths(const RewriteSettings& settings);

/// Whether --in-place would leave an uncompressed dump under the name of a compressed one; says so on
/// standard error then.
bool would_decompress_in_place(const RewriteSettings& settings, core::SeekableSource& source);

/// Opens the result's file. A dump may hold secrets, so a new file may be read by no one who may not read the
/// input. Errors: unwritable.
Result<core::OutputFile> create_output(const RewriteSettings& settings);

/// Checks what was written before it gets its name. Errors: unwritable, with the first thing that does not
/// hold.
Result<void> check_result(const core::OutputFile& out, const Limits& limits);

/// One line a loss, each with its count and reason.
std::string describe_losses(const std::vector<Loss>& losses);

/// Checks the dump in `source` against all rules.
Report check_dump(core::SeekableSource& source, const Limits& limits);

/// Says on standard error why `path` was not written, and gives the exit status for that.
int report_error(const std::string& path, const Error& error);

/// The same for an error of writing, which is about the output, or else the input.
int report_write_error(const RewriteSettings& settings, const Error& error);

/// Prints what was done: to standard output, or to standard error where that took the result.
void print_summary(const RewriteSettings& settings, const std::string& text);

}  // namespace heapcheck::cli
