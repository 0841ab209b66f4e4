// Rules on ids that nothing is defined under. A row that is missing from a map is one cause, however many
// others refer to it, and however many dumps do.
#pragma once

#include <array>
#include <set>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::map_count;
using heapcheck::chrome::heaps_v2::Scope;

/// What is known of a process's maps from the dumps so far.
struct History {
  /// Rows of the current dump, or of an earlier one, were unreadable or their ids ambiguous: an id that is
  /// missing may be among those.
  std::array<bool, map_count> is_broken{};
  std::array<bool, map_count> was_broken{};
  /// Ids that were reported as missing.
  std::array<std::set<std::uint64_t>, map_count> missing;
};

/// heaps2.maps.missing, heaps2.maps.dangling-*, heaps2.rows.dangling-* of the current dump of `scope`.
/// `usable` says of each heap whether its rows make sense.
void check_references(const Dump& dump, const Scope& scope, const std::vector<bool>& usable, History& history,
                      core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
