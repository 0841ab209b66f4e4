#include "analyze/answers/doubts.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {

std::string_view describe(GrowthDoubt doubt, RetentionRules rules) {
  const bool has_ids = rules == RetentionRules::devtools;
  switch (doubt) {
    case GrowthDoubt::none:
      break;
    case GrowthDoubt::same_heap:
      return "two snapshots contain the same nodes, so nothing is new between them; expected a later one";
    case GrowthDoubt::out_of_order:
      return has_ids ? "a snapshot is older than the one before it, as the ids of their nodes show; expected "
                       "the oldest first"
                     : "a snapshot is older than the one before it, as their times show; expected the oldest "
                       "first";
    case GrowthDoubt::other_process:
      return has_ids ? "the snapshots are from different processes, as the ids of their nodes show"
                     : "the snapshots are from different processes, as the dumps state";
  }
  return {};
}

Relation find_dump_relation(const NodesById& nodes, const std::optional<Recording>& recording,
                            const NodesById& later_nodes, const std::optional<Recording>& later) {
  Relation relation = analyze::find_relation(nodes, later_nodes);
  if (relation.doubt == GrowthDoubt::none) relation.doubt = find_doubt(recording, later);
  return relation;
}

void DoubtFinder::add(const std::string& file, const AskedHeap& heap) {
  NodesById nodes(heap.graph());
  const GrowthDoubt doubt =
      last_ ? find_dump_relation(*last_, last_recording_, nodes, heap.recording).doubt : GrowthDoubt::none;
  if (doubt != GrowthDoubt::none) {
    const auto [found, is_new] = found_.try_emplace(doubt, Found{.earlier = last_file_, .later = file});
    if (!is_new) ++found->second.more;
  }
  last_ = std::move(nodes);
  last_recording_ = heap.recording;
  rules_ = heap.graph().rules;
  last_file_ = file;
}

std::vector<Remark> DoubtFinder::make_remarks() const {
  std::vector<Remark> remarks;
  for (const auto& [doubt, found] : found_) {
    std::string text = fmt::format("{} and {}: {}", core::show_path(found.earlier),
                                   core::show_path(found.later), describe(doubt, rules_));
    if (found.more != 0)
      text += fmt::format("; this also applies to {} after them", core::counted(found.more, "snapshot"));
    remarks.push_back({Remark::Kind::note, std::move(text)});
  }
  return remarks;
}

}  // namespace heapcheck::analyze::answers
