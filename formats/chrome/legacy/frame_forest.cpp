#include "formats/chrome/legacy/frame_forest.hpp"

namespace heapcheck::chrome::legacy {
namespace {

enum class State : std::uint8_t { untouched, open, placed };

/// Appends `row` to the order, after its callers. If the row is in a cycle, cuts the cycle.
void place(FrameForest& forest, std::vector<State>& states, std::vector<std::uint32_t>& open,
           std::uint32_t row) {
  for (std::uint32_t at = row; at != no_row && states[at] == State::untouched; at = forest.parent[at]) {
    states[at] = State::open;
    open.push_back(at);
  }
  if (open.empty()) return;
  const std::uint32_t above = forest.parent[open.back()];
  if (above != no_row && states[above] == State::open) {
    forest.cycles.push_back(open.back());
    forest.parent[open.back()] = no_row;
  }
  for (; !open.empty(); open.pop_back()) {
    states[open.back()] = State::placed;
    forest.order.push_back(open.back());
  }
}

}  // namespace

FrameForest make_forest(const Frames& frames) {
  FrameForest forest;
  forest.index = make_index(frames.id);
  forest.parent.resize(frames.count(), no_row);
  forest.order.reserve(frames.count());
  for (std::uint32_t row = 0; row < frames.count(); ++row) {
    if (frames.parent[row] == empty_stack) continue;
    const auto parent = forest.index.find(static_cast<std::uint32_t>(frames.parent[row]));
    if (parent) forest.parent[row] = *parent;
    if (!parent) forest.dangling.push_back(row);
  }
  std::vector<State> states(frames.count(), State::untouched);
  std::vector<std::uint32_t> open;
  for (std::uint32_t row = 0; row < frames.count(); ++row) place(forest, states, open, row);
  return forest;
}

Preorder make_preorder(const FrameForest& forest) {
  const std::size_t count = forest.parent.size();
  std::vector<std::uint32_t> sizes(count, 1);
  for (std::size_t i = count; i-- > 0;) {
    const std::uint32_t row = forest.order[i];
    if (forest.parent[row] != no_row) sizes[forest.parent[row]] += sizes[row];
  }
  Preorder preorder{.place = std::vector<std::uint32_t>(count),
                    .row = std::vector<std::uint32_t>(count),
                    .last = std::vector<std::uint32_t>(count)};
  std::vector<std::uint32_t> next(count);  // the position of the next callee, by row
  std::uint32_t next_root = 0;
  for (const std::uint32_t row : forest.order) {
    const std::uint32_t parent = forest.parent[row];
    std::uint32_t& free = parent == no_row ? next_root : next[parent];
    preorder.place[row] = free;
    preorder.row[free] = row;
    preorder.last[free] = free + sizes[row] - 1;
    next[row] = free + 1;
    free += sizes[row];
  }
  return preorder;
}

}  // namespace heapcheck::chrome::legacy
