// heapcheck recover: writes the intact parts of a damaged dump as a valid dump.
#include "heapcheck/recover.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rewrite.hpp"

namespace heapcheck::cli {
namespace {

/// A message about the input, and what was dropped.
int report_nothing(const RewriteSettings& settings, const Recovery& recovery, bool is_brief) {
  const std::string text = make_text(recovery, settings.target_path());
  const std::size_t end = text.find('\n');
  print_error(fmt::format("{}: {}", settings.input, text.substr(0, end)));
  if (!is_brief) print_note(text.substr(end + 1));
  return findings;
}

}  // namespace

int run_recover(const Values& values) {
  const RewriteSettings settings = make_rewrite_settings(values);
  const bool is_json = values.get<std::string>("output") == "json";
  if (!check_paths(settings)) return usage;
  if (settings.output == "-")
    return refuse_usage(
        "the result is checked after it is written, so it cannot go to standard output; use -o FILE");
  Progress progress(count_bytes(settings.input).value_or(0), settings.reading.shows_progress);
  const auto input = check_input(settings, progress);
  if (!input) return report_error(settings, input.error());
  const auto done = recover(input->dump, settings.target_path(),
                            {.target = find_target(settings.to),
                             .allow_loss = values.get<bool>("allow-loss"),
                             .placeholder_names = values.get<bool>("placeholder-names"),
                             .level = settings.level,
                             .is_in_place = settings.in_place,
                             .keeps_times = settings.keeps_times});
  if (!done) return report_error(settings, done.error());
  // Scripts get the document even if no output was written, because the document states why.
  const bool is_quiet = settings.reading.is_quiet;
  if (is_json && !is_quiet && !write_output("", make_json(*done, settings.input, settings.target_path())))
    return usage;
  if (done->is_refused) return report_losses(settings, done->losses);
  if (!done->is_written) return report_nothing(settings, *done, is_json || is_quiet);
  if (!is_json && !is_quiet &&
      !print_summary(settings.target_path(), make_text(*done, settings.target_path())))
    return usage;
  return done->has_lost ? lossy : sound;
}

}  // namespace heapcheck::cli
