#include "formats/mvmheap/part.hpp"
#include "formats/core/text/counted.hpp"

#include <fmt/format.h>

namespace heapcheck::mvmheap {

void Part::reset(std::uint64_t new_index) {
  index = new_index;
  has_snapshot = has_whole_graph = is_cut = has_whole_snapshot = false;
  snapshot.clear();
  meta.reset();
  highscores.ids.clear();
  highscores.scores.clear();
  before = after = {};
  strings_known = types_known = frames_known = true;
  strings_placed = false;
  lost_strings = {};
  guessed_strings.clear();
  are_strings_counted = true;
}

std::string count_whole_snapshots(std::uint64_t count) {
  return core::counted(count, {"snapshot is complete", "snapshots are complete"});
}

std::uint64_t memory_needed(const Part& part, const Tables& tables) {
  // The memory that rules add: sets of the rows seen, sums per row, and an index for each collectable.
  constexpr std::uint64_t per_row = 64;
  constexpr std::uint64_t per_collectable = 8;
  const TableCounts rows = tables.counts();
  return part.snapshot.memory() + part.highscores.ids.memory() + part.highscores.scores.memory() +
         tables.memory() + per_row * (rows.strings + rows.types + rows.static_frames) +
         per_collectable * part.snapshot.collectables.count();
}

}  // namespace heapcheck::mvmheap
