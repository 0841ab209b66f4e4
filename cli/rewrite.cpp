#include "cli/rewrite.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "cli/output.hpp"
#include "cli/system/limits.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

bool complain(const std::string& text) {
  print_error(text);
  return false;
}

std::string_view name_wrapper(Compression compression) {
  if (compression == Compression::zip) return "in a zip archive";
  return compression == Compression::html ? "in an HTML page" : "compressed";
}

}  // namespace

RewriteSettings make_rewrite_settings(const Values& values) {
  return {.input = values.get<std::string>("IN"),
          .output = values.get<std::string>("output-file"),
          .in_place = values.get<bool>("in-place"),
          .keeps_times = values.get<bool>("keep-times"),
          .to = values.get<std::string>("to"),
          .level = static_cast<int>(values.get<std::uint64_t>("level")),
          .reading = make_reading(values)};
}

bool check_paths(const RewriteSettings& settings) {
  if (settings.in_place == !settings.output.empty())
    return complain(settings.in_place ? "found both -o OUT and --in-place, expected only one of them"
                                      : "found neither -o OUT nor --in-place, expected one of them");
  if (settings.in_place && settings.input == "-")
    return complain("--in-place needs a file, found - (standard input)");
  if (complain_if_standard_output(settings.input)) return false;
  if (settings.output == "-" && ::isatty(STDOUT_FILENO) == 1)
    return complain("the result is binary, and standard output is a terminal; use -o FILE");
  if (!settings.in_place &&
      is_same_file(settings.input == "-" ? "/dev/stdin" : settings.input, settings.output))
    return complain(settings.output + ": is the input; to replace it, use --in-place");
  return true;
}

Result<CheckedInput> check_input(const RewriteSettings& settings, Progress& progress) {
  begin_reading(settings.reading,
                {.inputs = {settings.input}, .output = settings.target_path(), .needs_temporary = true});
  auto dump = open(settings.input, {.limits = settings.reading.limits, .on_read = progress.counter()});
  if (!dump) return std::unexpected(std::move(dump.error()));
  if (settings.in_place && dump->compression() != Compression::none) {
    return std::unexpected(Error{ErrorKind::unwritable,
                                 fmt::format("is {}, and --in-place would write a plain file; use -o FILE",
                                             name_wrapper(dump->compression()))});
  }
  Report report = validate(*dump, {.max_per_rule = 1});
  if (!report.format) {
    const bool is_undecided = report.verdict == Verdict::undecided;
    return std::unexpected(
        Error{is_undecided ? ErrorKind::limit : ErrorKind::unreadable, std::move(report.error)});
  }
  return CheckedInput{std::move(*dump), std::move(report)};
}

int report_losses(const RewriteSettings& settings, const std::vector<Loss>& losses) {
  print_error(fmt::format(
      "{}: {} cannot represent everything, so nothing was written; to write it anyway, add --allow-loss",
      settings.input, settings.to));
  print_note(describe_losses(losses));
  return usage;
}

int report_error(const RewriteSettings& settings, const Error& error) {
  const bool is_output = error.kind == ErrorKind::unwritable;
  print_file_error(is_output ? settings.target_path() : settings.input, error.message);
  if (is_limit(error.kind)) return undecided;
  return is_output || error.kind == ErrorKind::unsupported ? usage : unreadable;
}

bool check_is_no_input(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (!is_same_file(input == "-" ? "/dev/stdin" : input, output)) continue;
    print_file_error(output, "is the input, which is never replaced");
    return false;
  }
  return true;
}

bool print_summary(const std::string& output, const std::string& text) {
  if (output != "-" && !is_same_file(output, "/dev/stdout")) return write_output("", text);
  print_note(text);
  return true;
}

}  // namespace heapcheck::cli
