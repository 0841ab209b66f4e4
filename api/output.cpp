#include "api/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "validate/validate.hpp"

namespace heapcheck::api {
namespace {

std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unwritable, std::move(why)});
}

/// Returns whether both paths lead to the same file. `-` is standard input or standard output.
bool is_input(const Dump::State& input, const std::string& output) {
  std::error_code code;
  return std::filesystem::equivalent(input.path == "-" ? "/dev/stdin" : input.path,
                                     output == "-" ? "/dev/stdout" : output, code);
}

/// The message of the first limit that was reached or, if no limit was reached, of the first finding.
std::string describe_first(const Report& report) {
  if (report.findings.empty()) return report.error;
  for (const Finding& finding : report.findings) {
    if (finding.rule->stage == Stage::limit) return finding.message;
  }
  return report.findings.front().message;
}

}  // namespace

Result<void> check_output(const Dump::State& input, const std::string& output, bool is_in_place) {
  if (!is_input(input, output)) return {};
  if (!is_in_place) return refuse("is the input file and would be overwritten");
  if (input.compression != Compression::none) return refuse("is compressed, but the output would not be");
  return {};
}

Result<core::OutputFile> create_output(const Dump::State& input, const std::string& output,
                                       bool keeps_times) {
  constexpr unsigned usual = 0666;
  struct stat status{};
  const bool is_known = input.path != "-" && ::stat(input.path.c_str(), &status) == 0;
  const bool has_times = keeps_times && is_known;
  return core::OutputFile::create(
      output == "-" ? "/dev/stdout" : output,
      {.mode = is_known && S_ISREG(status.st_mode) ? (status.st_mode & usual) | S_IWUSR : usual,
       .replaced = is_input(input, output) ? input.source->identity() : std::nullopt,
       .times = has_times ? std::optional(std::array{status.st_atim, status.st_mtim}) : std::nullopt});
}

Error explain_unread(const Report& report) {
  const bool is_undecided = report.verdict == Verdict::undecided;
  return {is_undecided ? ErrorKind::limit : ErrorKind::unreadable, report.error};
}

Result<void> check_written(const core::OutputFile& out, const Limits& limits) {
  auto written = out.open_written();
  if (!written) return std::unexpected(written.error());
  const Report report = validation::check_source(std::move(*written), {.limits = limits, .max_per_rule = 1});
  if (report.verdict == Verdict::valid) return {};
  const std::string why = describe_first(report);
  if (report.verdict == Verdict::undecided)
    return std::unexpected(Error{
        ErrorKind::limit, fmt::format("the output could not be checked ({}), so nothing was written", why)});
  return refuse(fmt::format("the output would not be sound ({}), so nothing was written", why));
}

}  // namespace heapcheck::api
