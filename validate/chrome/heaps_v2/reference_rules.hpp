// Rules about ids that have no definition. A row that is missing from a map is reported once, however many
// other rows and dumps refer to it.
#pragma once

#include <array>
#include <set>

#include "formats/core/finding_sink.hpp"
#include "validate/chrome/heaps_v2/places.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {

using heapcheck::chrome::heaps_v2::map_count;
using heapcheck::chrome::heaps_v2::Scope;

/// The state of a process's maps after the dumps that were checked so far.
struct History {
  /// Whether rows of the current dump, or of an earlier one, were unreadable or had ambiguous ids. A missing
  /// id may then belong to one of these rows.
  std::array<bool, map_count> is_broken{};
  std::array<bool, map_count> was_broken{};
  /// Ids that have been reported as missing.
  std::array<std::set<std::uint64_t>, map_count> missing;
};

/// heaps2.maps.missing, heaps2.maps.dangling-*, heaps2.rows.dangling-* for the current dump of `scope`.
/// `usable` says for each heap whether its rows are usable. Returns false if so many ids are missing that the
/// rows may be those of another dump.
bool check_references(const Dump& dump, const Scope& scope, const std::vector<bool>& usable, History& history,
                      core::FindingSink& sink);

}  // namespace heapcheck::validation::chrome::heaps_v2
