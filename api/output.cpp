#include "api/output.hpp"

#include <fmt/format.h>

#include "validate/validate.hpp"

namespace heapcheck::api {
namespace {

std::unexpected<Error> refuse(std::string why) {
  return std::unexpected(Error{ErrorKind::unwritable, std::move(why)});
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
