// heapcheck recover: writes the intact parts of a damaged dump as a valid dump.
#include "heapcheck/recover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rewrite.hpp"

namespace heapcheck::cli {
namespace {

/// `0x31b478: unexpected end of input in an array`; empty if there is no error.
std::string describe_first_error(const Report& report) {
  for (const Finding& finding : report.findings) {
    if (finding.rule->severity == Severity::error && finding.rule->stage != Stage::limit)
      return fmt::format("0x{:x}: {}", finding.location.file.offset, finding.message);
  }
  return {};
}

/// `1 snapshot`, `2 snapshots`, `1 row of other sections`.
std::string describe(const Amount& amount) {
  std::string what = amount.what;
  const std::size_t end = std::min({what.find(" of "), what.find(','), what.size()});
  if (amount.count == 1 && what.substr(0, end).ends_with('s')) what.erase(end - 1, 1);
  return fmt::format("{}{}{}", amount.count, what.empty() ? "" : " ", what);
}

/// `3 snapshots, 1204 collectables`.
std::string describe(const std::vector<Amount>& amounts) {
  std::string text;
  for (const Amount& amount : amounts) text.append(text.empty() ? "" : ", ").append(describe(amount));
  return text;
}

std::string describe_dropped(const Recovery& recovery) {
  if (recovery.dropped.empty()) return {};
  std::string text = fmt::format("  dropped: {}\n", describe(recovery.dropped));
  for (const std::string& reason : recovery.reasons)
    fmt::format_to(std::back_inserter(text), "    {}\n", reason);
  return text;
}

std::string describe(const RewriteSettings& settings, const Recovery& recovery) {
  std::string text =
      fmt::format("{}: {}\n  kept: {}\n{}", show_path(settings.target_path()), name_of(recovery.target),
                  describe(recovery.kept), describe_dropped(recovery));
  auto to = std::back_inserter(text);
  for (const Repair& repair : recovery.repairs)
    fmt::format_to(to, "  {}: {}\n", repair.what, describe(repair.amounts));
  text += describe_losses(recovery.losses);
  for (const std::string& note : recovery.notes) fmt::format_to(to, "  {}\n", note);
  if (const std::uint64_t errors = recovery.report.count(Severity::error); errors != 0)
    fmt::format_to(to, "  errors in the input: {} (listed by `heapcheck validate`), the first at {}\n",
                   errors, describe_first_error(recovery.report));
  if (recovery.has_only_wrong_counts)
    text += "  nothing was lost: only counts, sizes or offsets were wrong, and they have been corrected\n";
  return text;
}

int report_nothing(const RewriteSettings& settings, const Recovery& recovery) {
  const std::string error = describe_first_error(recovery.report);
  print_error(fmt::format("{}: no {} can be kept, so nothing was written{}{}", settings.input, recovery.unit,
                          error.empty() ? "" : "; the first error is at ", error));
  if (!settings.quiet) print_note(describe_dropped(recovery));
  return findings;
}

int run(const RewriteSettings& settings, bool placeholder_names, bool allow_loss) {
  if (!check_paths(settings)) return usage;
  if (settings.output == "-") {
    print_error("the result is checked after it is written, so it cannot go to standard output; use -o FILE");
    return usage;
  }
  Progress progress(count_bytes(settings.input).value_or(0), settings.shows_progress());
  const auto input = check_input(settings, progress);
  if (!input) return report_error(settings, input.error());
  const auto done = recover(input->dump, settings.target_path(),
                            {.target = find_target(settings.to),
                             .allow_loss = allow_loss,
                             .placeholder_names = placeholder_names,
                             .level = settings.level,
                             .is_in_place = settings.in_place});
  if (!done) return report_error(settings, done.error());
  if (done->is_refused) return report_losses(settings, done->losses);
  if (!done->is_written) return report_nothing(settings, *done);
  if (!print_summary(settings, describe(settings, *done))) return usage;
  return done->has_lost ? lossy : sound;
}

}  // namespace

int run_recover(const Values& values) {
  return run(make_rewrite_settings(values), values.get<bool>("placeholder-names"),
             values.get<bool>("allow-loss"));
}

}  // namespace heapcheck::cli
