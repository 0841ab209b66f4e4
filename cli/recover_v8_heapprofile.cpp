// heapcheck recover on V8 sampling heap profiles.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/recover.hpp"
#include "formats/detect.hpp"
#include "recover/v8/heapprofile/recover.hpp"

namespace heapcheck::cli {

Result<RecoverOutcome> recover_heapprofile(core::SeekableSource& source, const RecoverSettings& settings,
                                           core::ByteSink& out) {
  const std::string_view slug = slug_of(Format::v8_heapprofile);
  const auto recovery = recovery::v8::heapprofile::recover(source, settings.limits, out);
  if (!recovery) return std::unexpected(recovery.error());
  RecoverOutcome outcome;
  outcome.has_kept = recovery->kept_nodes != 0;
  outcome.has_lost = recovery->has_lost();
  outcome.nothing = "no node";
  outcome.format = slug;
  auto to = std::back_inserter(outcome.report);
  fmt::format_to(to, "  kept: {} nodes, {} samples\n", recovery->kept_nodes, recovery->kept_samples);
  if (std::max(recovery->dropped_nodes, recovery->dropped_samples) != 0)
    outcome.dropped = fmt::format("  dropped: {} nodes, {} samples, as far as they could be read\n",
                                  recovery->dropped_nodes, recovery->dropped_samples);
  outcome.report += outcome.dropped;
  if (recovery->repaired_nodes != 0)
    fmt::format_to(to, "  nodes whose function or size is lost: {}\n", recovery->repaired_nodes);
  if (recovery->new_ids != 0) fmt::format_to(to, "  nodes with a new id: {}\n", recovery->new_ids);
  if (recovery->lost_members != 0)
    outcome.losses = fmt::format("  lost: members that V8 does not write: {} (nothing is known of them)\n",
                                 recovery->lost_members);
  return outcome;
}

}  // namespace heapcheck::cli
