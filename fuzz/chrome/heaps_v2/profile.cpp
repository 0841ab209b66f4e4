// Property: the profile of any input is written as a trace that does not violate any rule and has the same
// meaning, so that writing it again produces the same bytes.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "convert/chrome/heaps_v2/profile.hpp"
#include "fuzz/chrome/heaps_v2/trace.hpp"
#include "validate/chrome/heaps_v2/check.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome::heaps_v2;
using fuzz::require;

namespace {

void check_tree(const conversion::chrome::FrameTree& tree) {
  std::set<std::pair<conversion::chrome::FrameIndex, core::PoolIndex>> frames;
  for (std::size_t i = 0; i < tree.count(); ++i) {
    const auto parent = tree.parent[i];
    require(parent == conversion::chrome::no_frame || static_cast<std::size_t>(parent) < i,
            "parents come first");
    require(frames.emplace(parent, tree.name[i]).second, "no frame occurs twice");
  }
}

/// Returns whether this finding may remain in the written trace: sums that are too large remain too large,
/// rows keep their counts, and dumps may share an id or be equal.
bool may_stay(const Finding& finding) {
  constexpr std::array<std::string_view, 4> rules{"heaps2.columns.sum", "heaps2.dump.shared-id",
                                                  "heaps2.dump.twice", "heaps2.rows.count"};
  return std::ranges::find(rules, finding.rule->id) != rules.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  validation::Collector ignored(0);
  const auto meaning = conversion::chrome::heaps_v2::to_profile(fuzz::read_heaps_v2({data, size}, ignored));
  for (const conversion::chrome::Process& process : meaning.profile.processes) check_tree(process.frames);
  const std::string text = fuzz::write_heaps_v2(conversion::chrome::heaps_v2::from_profile(meaning.profile));
  validation::Collector found(1000);
  const Model again =
      fuzz::read_heaps_v2(core::as_bytes(text), found, core::Window::default_capacity, Limits{});
  validation::chrome::heaps_v2::check(again, 1, found);
  for (const Finding& finding : found.take_findings()) {
    require(may_stay(finding), "the written trace breaks no rule");
  }
  const auto second = conversion::chrome::heaps_v2::to_profile(again);
  require(second.losses.empty(), "nothing is lost the second time");
  require(fuzz::write_heaps_v2(conversion::chrome::heaps_v2::from_profile(second.profile)) == text,
          "writing it again produces the same bytes");
  return 0;
}
