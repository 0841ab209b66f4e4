#include "export/profiles/stacks.hpp"

#include <fmt/format.h>

#include "formats/core/checked.hpp"

namespace heapcheck::exports::profiles {

Result<std::vector<std::uint32_t>> Stacks::from(std::uint32_t place) {
  constexpr std::uint64_t most_frames = std::uint64_t{1} << 28U;
  std::vector<std::uint32_t> places = {place};
  while (profile_->caller[places.back()] != 0) places.push_back(profile_->caller[places.back()]);
  frames_ += places.size();
  if (frames_ <= most_frames) return places;
  return std::unexpected(
      Error{ErrorKind::limit, fmt::format("the stacks have more than {} frames in total", most_frames)});
}

PlaceTotals add_up_places(const AllocationProfile& profile) {
  PlaceTotals totals;
  totals.size.resize(profile.caller.size());
  totals.count.resize(profile.caller.size());
  for (std::size_t i = 0; i < profile.place.size(); ++i) {
    const std::uint32_t place = profile.place[i];
    totals.size[place] = core::saturating_add(totals.size[place], profile.size[i]);
    if (!profile.count.empty())
      totals.count[place] = core::saturating_add(totals.count[place], profile.count[i]);
  }
  return totals;
}

}  // namespace heapcheck::exports::profiles
