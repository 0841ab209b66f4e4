// heapcheck recover on V8 heap snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/recover.hpp"
#include "formats/detect.hpp"
#include "recover/v8/heapsnapshot/recover.hpp"

namespace heapcheck::cli {
namespace {

using recovery::v8::heapsnapshot::Recovery;

std::string describe_dropped(const Recovery& recovery) {
  if (std::max({recovery.dropped_nodes, recovery.dropped_edges, recovery.dropped_rows}) == 0) return {};
  return fmt::format("  dropped: {} nodes, {} edges, {} rows of other sections\n", recovery.dropped_nodes,
                     recovery.dropped_edges, recovery.dropped_rows);
}

std::string describe_repaired(const Recovery& recovery) {
  std::string text;
  const auto add = [&text](std::string_view what, std::uint64_t count) {
    if (count != 0) fmt::format_to(std::back_inserter(text), "  {}: {}\n", what, count);
  };
  add("names that are lost", recovery.lost_names);
  add("numbers that are others now (types, ids, calls, places)", recovery.changed_values);
  add("functions that the header did not count", recovery.uncounted_functions);
  add("missing sections, now empty", recovery.added_sections);
  return text;
}

}  // namespace

Result<RecoverOutcome> recover_heapsnapshot(core::SeekableSource& source, const RecoverSettings& settings,
                                            core::ByteSink& out) {
  const auto recovery = recovery::v8::heapsnapshot::recover(source, settings.limits, out);
  if (!recovery) return std::unexpected(recovery.error());
  RecoverOutcome outcome;
  outcome.has_kept = recovery->kept_nodes != 0;
  outcome.has_lost = recovery->has_lost();
  outcome.nothing = "no node";
  outcome.format = slug_of(Format::v8_heapsnapshot);
  outcome.dropped = describe_dropped(*recovery);
  outcome.report = fmt::format("  kept: {} nodes, {} edges\n{}{}", recovery->kept_nodes, recovery->kept_edges,
                               outcome.dropped, describe_repaired(*recovery));
  if (recovery->lost_members != 0)
    outcome.losses = fmt::format("  lost: members that V8 does not write: {} (nothing is known of them)\n",
                                 recovery->lost_members);
  return outcome;
}

}  // namespace heapcheck::cli
