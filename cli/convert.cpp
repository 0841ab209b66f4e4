// heapcheck convert: writes a dump in another format of its family.
#include "heapcheck/convert.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rewrite.hpp"

namespace heapcheck::cli {
namespace {

/// The message of the first limit that was reached.
std::string_view find_limit(const Report& report) {
  for (const Finding& finding : report.findings) {
    if (finding.rule->stage == Stage::limit) return finding.message;
  }
  return "a limit was reached";
}

/// Prints why an invalid dump is not converted, and returns the exit status for this case.
int refuse(const RewriteSettings& settings, const Report& report) {
  if (report.verdict == Verdict::undecided) {
    print_error(
        fmt::format("{}: is undecided ({}), so it is not converted", settings.input, find_limit(report)));
    return undecided;
  }
  const bool is_trace = family_of(*report.format) == Family::trace;
  print_error(fmt::format("{}: is {}, so it is not converted; `heapcheck validate` lists the errors{}",
                          settings.input, name_of(report.verdict),
                          is_trace ? "" : ", and `heapcheck recover` keeps the intact parts"));
  return findings;
}

/// `nodes: 3, edges: 2`, with the number of snapshots on a line of its own.
std::string list_amounts(const std::vector<Amount>& amounts) {
  std::string text = "  ";
  for (const Amount& amount : amounts) {
    const bool is_last = &amount == &amounts.back();
    text += fmt::format("{}: {}{}", amount.what, amount.count,
                        is_last                      ? "\n"
                        : amount.what == "snapshots" ? "\n  "
                                                     : ", ");
  }
  return text;
}

std::string describe(const RewriteSettings& settings, const Conversion& conversion) {
  const Format from = *conversion.report.format;
  const bool has_choice = targets_of(family_of(from)).size() > 1;
  return fmt::format("{}: {}{}\n{}{}{}", show_path(settings.target_path()), settings.to,
                     has_choice ? fmt::format(" from {}", slug_of(from)) : "",
                     list_amounts(conversion.amounts), describe_losses(conversion.losses),
                     describe_losses(conversion.asked_for));
}

}  // namespace

int run_convert(const Values& values) {
  const RewriteSettings settings = make_rewrite_settings(values);
  if (!check_paths(settings)) return usage;
  Progress progress(count_bytes(settings.input).value_or(0), settings.reading.shows_progress);
  const auto input = check_input(settings, progress);
  if (!input) return report_error(settings, input.error());
  // The errors in an invalid dump could end up in the result, where they would look like errors made by the
  // conversion.
  if (input->report.verdict != Verdict::valid) return refuse(settings, input->report);
  const auto done = convert(input->dump, settings.target_path(), *find_target(settings.to),
                            {.allow_loss = values.get<bool>("allow-loss"),
                             .level = settings.level,
                             .keep_trace = values.get<bool>("keep-trace"),
                             .threshold = values.find<std::uint64_t>("threshold"),
                             .share = values.find<double>("share"),
                             .is_in_place = settings.in_place,
                             .keeps_times = settings.keeps_times});
  if (!done) return report_error(settings, done.error());
  if (!done->is_written) return report_losses(settings, done->losses);
  if (!settings.reading.is_quiet && !print_summary(settings.target_path(), describe(settings, *done)))
    return usage;
  return done->losses.empty() && done->asked_for.empty() ? sound : lossy;
}

}  // namespace heapcheck::cli
