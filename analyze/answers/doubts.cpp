#include "analyze/answers/doubts.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {

std::string_view describe(GrowthDoubt doubt) {
  switch (doubt) {
    case GrowthDoubt::none:
      break;
    case GrowthDoubt::same_heap:
      return "two snapshots contain the same nodes, so nothing is new between them; expected a later one";
    case GrowthDoubt::out_of_order:
      return "a snapshot was made before the one that it follows, as the ids of their nodes show; expected "
             "the "
             "oldest first";
    case GrowthDoubt::other_process:
      return "the snapshots are from different processes, as the ids of their nodes show";
  }
  return {};
}

void DoubtFinder::add(const std::string& file, const Graph& graph) {
  NodeMarks marks(graph);
  const GrowthDoubt doubt = last_ ? find_doubt(*last_, marks) : GrowthDoubt::none;
  if (doubt != GrowthDoubt::none) {
    const auto [found, is_new] = found_.try_emplace(doubt, Found{.earlier = last_file_, .later = file});
    if (!is_new) ++found->second.more;
  }
  last_ = std::move(marks);
  last_file_ = file;
}

std::vector<Remark> DoubtFinder::make_remarks() const {
  std::vector<Remark> remarks;
  for (const auto& [doubt, found] : found_) {
    std::string text = fmt::format("{} and {}: {}", core::show_path(found.earlier),
                                   core::show_path(found.later), describe(doubt));
    if (found.more != 0)
      text += fmt::format("; this also applies to {} after them", core::counted(found.more, "snapshot"));
    remarks.push_back({Remark::Kind::note, std::move(text)});
  }
  return remarks;
}

}  // namespace heapcheck::analyze::answers
