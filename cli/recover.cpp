// heapcheck recover: everything that is whole in a damaged dump, as a sound dump.
#include "validate/mvmheap/recover.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/rewrite.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/spool.hpp"
#include "validate/validate.hpp"

namespace heapcheck::cli {
namespace {

using validate::mvmheap::Amounts;
using validate::mvmheap::Recovery;

struct Settings : RewriteSettings {
  bool placeholder_names = false;
};

/// `3 snapshots, 1204 collectables, 5210 references`.
std::string describe(const Amounts& amounts) {
  return fmt::format("{} snapshot{}, {} collectables, {} references", amounts.snapshots,
                     amounts.snapshots == 1 ? "" : "s", amounts.collectables, amounts.references);
}

std::string describe(const mvmheap::TableCounts& rows) {
  return fmt::format("{} strings, {} types, {} static frames", rows.strings, rows.types, rows.static_frames);
}

std::string describe_dropped(const Recovery& recovery) {
  if (recovery.dropped_snapshots.empty()) return "";
  std::string text = fmt::format("  dropped: {}\n", describe(recovery.dropped));
  for (const auto& snapshot : recovery.dropped_snapshots)
    text += fmt::format("    snapshot {}: {}\n", snapshot.index, snapshot.reason);
  return text;
}

std::string describe(const Settings& settings, const Recovery& recovery) {
  std::string text;
  auto to = std::back_inserter(text);
  fmt::format_to(to, "{}: {}\n  kept: {}, {}\n", core::make_excerpt(settings.target_path(), SIZE_MAX),
                 formats::name_of(recovery.target), describe(recovery.kept), describe(recovery.rows));
  text += describe_dropped(recovery);
  if (recovery.placeholders != mvmheap::TableCounts{})
    fmt::format_to(to, "  placeholders instead of lost names: {}\n", describe(recovery.placeholders));
  if (recovery.rebuilt_metas != 0)
    fmt::format_to(to, "  metadata rebuilt: {} snapshots\n", recovery.rebuilt_metas);
  return text;
}

int run_recover(const Settings& settings) {
  if (!check_paths(settings)) return usage;
  if (settings.output == "-") {
    print_error("the result is checked before it gets its name, so it needs a file; give -o FILE");
    return usage;
  }
  const core::Limits limits = settings.limits();
  auto source = core::open_rereadable(settings.input, limits);
  if (!source) return report_error(settings.input, source.error());
  if (would_decompress_in_place(settings, **source)) return usage;
  const auto report = check_dump(**source, limits);
  if (!report.format) return report_error(settings.input, {core::ErrorKind::unreadable, report.error});

  auto out = core::OutputFile::create(settings.target_path());
  if (!out) return report_error(settings.target_path(), out.error());
  const auto recovery = validate::mvmheap::recover(
      **source, {limits, formats::find_target(settings.to), settings.placeholder_names, {settings.level}},
      *out);
  if (!recovery) {
    const bool is_output = recovery.error().kind == core::ErrorKind::unwritable;
    return report_error(is_output ? settings.target_path() : settings.input, recovery.error());
  }
  if (recovery->kept.snapshots == 0 && report.verdict != validate::Verdict::valid) {
    print_error(fmt::format("{}: no snapshot can be kept, so nothing was written", settings.input));
    if (!settings.quiet) std::fputs(describe_dropped(*recovery).c_str(), stderr);
    return findings;
  }
  if (auto checked = check_result(*out, limits); !checked)
    return report_error(settings.target_path(), checked.error());
  if (auto done = out->commit(); !done) return report_error(settings.target_path(), done.error());
  const std::uint64_t errors = report.count(core::Severity::error);
  const std::string input =
      errors == 0 ? "" : fmt::format("  errors in the input: {} (`heapcheck validate` lists them)\n", errors);
  print_summary(settings, describe(settings, *recovery) + describe_losses(recovery->losses) + input);
  return report.verdict == validate::Verdict::valid && recovery->losses.empty() ? sound : lossy;
}

}  // namespace

Run add_recover(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("recover", "Write everything that is whole in a damaged dump");
  add_rewrite_options(*command, *settings, formats::target_names());
  command->add_flag("--placeholder-names", settings->placeholder_names,
                    "Keep also snapshots whose names are lost, with names such as <type 5>");
  return [settings] { return run_recover(*settings); };
}

}  // namespace heapcheck::cli
