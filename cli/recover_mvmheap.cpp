// heapcheck recover on MoarVM dumps.
#include <fmt/format.h>

#include <iterator>

#include "cli/recover.hpp"
#include "recover/mvmheap/recover.hpp"

namespace heapcheck::cli {
namespace {

using recovery::mvmheap::Amounts;
using recovery::mvmheap::Recovery;

/// `3 snapshots, 1204 collectables, 5210 references`.
std::string describe(const Amounts& amounts) {
  return fmt::format("{} snapshot{}, {} collectables, {} references", amounts.snapshots,
                     amounts.snapshots == 1 ? "" : "s", amounts.collectables, amounts.references);
}

std::string describe(const mvmheap::TableCounts& rows) {
  return fmt::format("{} strings, {} types, {} static frames", rows.strings, rows.types, rows.static_frames);
}

std::string describe_kept(const Recovery& recovery) {
  return fmt::format("  kept: {}, {}\n", describe(recovery.kept), describe(recovery.rows));
}

std::string describe_dropped(const Recovery& recovery) {
  if (recovery.dropped_snapshots.empty()) return "";
  std::string text = fmt::format("  dropped: {}\n", describe(recovery.dropped));
  for (const auto& snapshot : recovery.dropped_snapshots)
    text += fmt::format("    snapshot {}: {}\n", snapshot.index, snapshot.reason);
  return text;
}

std::string describe_repaired(const Recovery& recovery) {
  std::string text;
  auto to = std::back_inserter(text);
  if (recovery.placeholders != mvmheap::TableCounts{})
    fmt::format_to(to, "  placeholders instead of lost names: {}\n", describe(recovery.placeholders));
  if (recovery.rebuilt_metas != 0)
    fmt::format_to(to, "  metadata rebuilt: {} snapshots\n", recovery.rebuilt_metas);
  return text;
}

}  // namespace

Result<RecoverOutcome> recover_mvmheap(core::SeekableSource& source, const RecoverSettings& settings,
                                       core::ByteSink& out) {
  const auto recovery = recovery::mvmheap::recover(
      source, {settings.limits, find_target(settings.to), settings.placeholder_names, {settings.level}}, out);
  if (!recovery) return std::unexpected(recovery.error());
  RecoverOutcome outcome;
  outcome.has_kept = recovery->kept.snapshots != 0;
  outcome.has_lost = recovery->has_lost();
  outcome.nothing = "no snapshot";
  outcome.format = name_of(recovery->target);
  outcome.report = describe_kept(*recovery) + describe_dropped(*recovery) + describe_repaired(*recovery);
  outcome.dropped = describe_dropped(*recovery);
  outcome.losses = describe_losses(recovery->losses);
  return outcome;
}

}  // namespace heapcheck::cli
