#include "convert/chrome/legacy/breakdown.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome::legacy {
namespace {

std::size_t at(FrameIndex frame) { return static_cast<std::size_t>(frame); }
std::size_t at(TypeIndex type) { return static_cast<std::size_t>(type); }

bool is_empty(const chrome::Heap& heap, std::uint64_t row) {
  return heap.size[row] == 0 && heap.count[row] == 0;
}

}  // namespace

std::optional<Breakdown> BreakdownMaker::make(const chrome::Heap& heap, std::uint64_t& max_cells) {
  find_frames(heap);
  make_nodes(heap);
  place_rows(heap);
  const bool is_made = make_cells(heap, max_cells);
  std::optional<Breakdown> result;
  if (is_made) {
    cut_off_.share_permille == 0 ? keep_by_threshold() : keep_by_share();
    cells_[nodes_[0].begin].is_kept = true;
    result = take_kept();
  }
  forget();
  return result;
}

FrameIndex BreakdownMaker::owner_of(const chrome::Heap& heap, std::uint64_t row) const {
  return heap.frame[row] == no_frame ? no_frame : roles_->owner[at(heap.frame[row])];
}

/// Finds the frames of rows and the callers of these frames.
void BreakdownMaker::find_frames(const chrome::Heap& heap) {
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    if (is_empty(heap, row)) continue;
    for (FrameIndex frame = owner_of(heap, row); frame != no_frame && nodes_of_[at(frame)] == 0;
         frame = frames_->parent[at(frame)]) {
      nodes_of_[at(frame)] = 1;
      used_.push_back(frame);
    }
  }
  std::ranges::sort(used_);
}

void BreakdownMaker::make_nodes(const chrome::Heap& heap) {
  for (std::size_t i = 0; i < used_.size(); ++i) nodes_of_[at(used_[i])] = static_cast<std::uint32_t>(i + 1);
  const auto place_of = [this](FrameIndex frame) { return frame == no_frame ? 0 : nodes_of_[at(frame)]; };
  std::vector<bool> has_callees(used_.size() + 1);
  for (const FrameIndex frame : used_) has_callees[place_of(frames_->parent[at(frame)])] = true;
  has_rows_.assign(used_.size() + 1, false);
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    if (!is_empty(heap, row)) has_rows_[place_of(owner_of(heap, row))] = true;
  }
  nodes_.push_back({});
  if (has_callees[0] && has_rows_[0]) add_node(self_of(root_site), 0);
  for (std::size_t i = 1; i <= used_.size(); ++i) {
    const FrameIndex frame = used_[i - 1];
    const FrameIndex caller = frames_->parent[at(frame)];
    const std::uint32_t node = add_node(site_of(frame), caller == no_frame ? 0 : nodes_of_[at(caller)]);
    nodes_of_[at(frame)] = node;
    if (has_callees[i] && has_rows_[i]) add_node(self_of(site_of(frame)), node);
  }
}

std::uint32_t BreakdownMaker::add_node(Site site, std::uint32_t parent) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.site = site, .parent = parent, .next_callee = nodes_[parent].first_callee});
  nodes_[parent].first_callee = node;
  ++nodes_[parent].callee_count;
  return node;
}

/// Gives each node its rows, which are its frame's own rows or, if the node is `<self>`, those of its caller.
void BreakdownMaker::place_rows(const chrome::Heap& heap) {
  const auto node_of = [&](std::uint64_t row) {
    const FrameIndex frame = owner_of(heap, row);
    const std::size_t node = frame == no_frame ? 0 : nodes_of_[at(frame)];
    const bool has_self = node + 1 < nodes_.size() && nodes_[node + 1].site == self_of(nodes_[node].site);
    return node + (has_self ? 1 : 0);
  };
  // Sorts the rows by counting, in linear time. `ends` contains counts at first, and then the start of each
  // node.
  std::vector<std::uint64_t> ends(nodes_.size() + 1);
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    if (!is_empty(heap, row)) ++ends[node_of(row) + 1];
  }
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    ends[node + 1] += ends[node];
    nodes_[node].first_row = ends[node];
  }
  rows_.resize(ends.back());
  for (std::uint64_t row = 0; row < heap.row_count(); ++row) {
    if (!is_empty(heap, row)) rows_[ends[node_of(row)]++] = row;
  }
}

/// Adds up values from the innermost callees outwards.
bool BreakdownMaker::make_cells(const chrome::Heap& heap, std::uint64_t& max_cells) {
  std::uint64_t last_row = rows_.size();
  // Callees come after their caller, so when going backwards, their cells are complete by the time that the
  // caller needs them.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.begin = cells_.size();
    cells_.push_back({any_type, 0, 0});
    for (std::uint64_t place = node.first_row; place < last_row; ++place) {
      const std::uint64_t row = rows_[place];
      add_to(node, {heap.type[row], heap.size[row], heap.count[row]});
    }
    last_row = node.first_row;
    for (std::uint32_t callee = node.first_callee; callee != 0; callee = nodes_[callee].next_callee) {
      for (std::size_t cell = nodes_[callee].begin + 1; cell < nodes_[callee].end; ++cell) {
        add_to(node, cells_[cell]);
      }
    }
    node.end = cells_.size();
    for (std::size_t cell = node.begin + 1; cell < node.end; ++cell) places_[at(cells_[cell].type)] = 0;
    std::sort(cells_.begin() + static_cast<std::ptrdiff_t>(node.begin) + 1, cells_.end(),
              [](const Cell& a, const Cell& b) { return a.type < b.type; });
    const std::size_t made = node.end - node.begin;
    if (made > max_cells) return false;
    max_cells -= made;
  }
  return true;
}

void BreakdownMaker::add_to(const Node& node, Cell cell) {
  std::size_t& place = places_[at(cell.type)];
  if (place == 0) {
    place = cells_.size();
    cells_.push_back({cell.type, 0, 0});
  }
  for (Cell* sum : {&cells_[node.begin], &cells_[place]}) {
    sum->size += cell.size;
    sum->count += cell.count;
  }
}

void BreakdownMaker::keep_by_threshold() {
  for (Cell& cell : cells_) cell.is_kept = cell.size >= cut_off_.threshold_bytes;
}

void BreakdownMaker::keep_by_share() {
  cells_[nodes_[0].begin].is_kept = true;
  std::vector<std::size_t> types;
  for (const Node& node : nodes_) {
    if (cells_[node.begin].is_kept) {
      types.clear();
      for (std::size_t cell = node.begin + 1; cell < node.end; ++cell) types.push_back(cell);
      std::ranges::sort(types, {}, [this](std::size_t cell) { return std::pair(~cells_[cell].size, cell); });
      keep_largest(types);
    }
    keep_callees(node);
  }
}

/// Keeps the callees with the largest values, both for all types together and for each type that is kept.
void BreakdownMaker::keep_callees(const Node& node) {
  // `places_` is unused between two nodes, so here it marks the types that the node keeps.
  for (std::size_t cell = node.begin + 1; cell < node.end; ++cell) {
    places_[at(cells_[cell].type)] = cells_[cell].is_kept ? 1 : 0;
  }
  std::vector<std::size_t> parts;
  for (std::uint32_t callee = node.first_callee; callee != 0; callee = nodes_[callee].next_callee) {
    const Node& part = nodes_[callee];
    if (is_implied(part)) continue;
    if (cells_[node.begin].is_kept) parts.push_back(part.begin);
    for (std::size_t cell = part.begin + 1; cell < part.end; ++cell) {
      if (places_[at(cells_[cell].type)] != 0) parts.push_back(cell);
    }
  }
  for (std::size_t cell = node.begin + 1; cell < node.end; ++cell) places_[at(cells_[cell].type)] = 0;
  const auto key = [this](std::size_t cell) {
    return std::tuple(cells_[cell].type, ~cells_[cell].size, ~cell);
  };
  std::ranges::sort(parts, {}, key);
  for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
    while (end < parts.size() && cells_[parts[end]].type == cells_[parts[begin]].type) ++end;
    keep_largest(std::span(parts).subspan(begin, end - begin));
  }
}

/// Keeps cells from the front of `cells`, which is sorted from the largest to the smallest, until a cell adds
/// too little.
void BreakdownMaker::keep_largest(std::span<const std::size_t> cells) {
  std::uint64_t sum = 0;
  for (const std::size_t place : cells) {
    Cell& cell = cells_[place];
    const std::uint64_t permille = cut_off_.share_permille;
    const std::uint64_t least = core::saturating_add(
        core::checked_multiply(sum / 1000, permille).value_or(UINT64_MAX), sum % 1000 * permille / 1000);
    if (cell.size < least || cell.size < cut_off_.threshold_bytes) break;
    sum = core::saturating_add(sum, cell.size);
    cell.is_kept = true;
  }
}

/// Returns whether readers compute the node themselves, because it is called `<other>`, has no callees, and
/// has a sibling that is written.
bool BreakdownMaker::is_implied(const Node& node) const {
  const FrameIndex frame = frame_of(node.site);
  const bool is_other = frame != no_frame && !is_self(node.site) && roles_->is_other[at(frame)];
  return is_other && node.callee_count == 0 && nodes_[node.parent].callee_count > 1;
}

Breakdown BreakdownMaker::take_kept() const {
  Breakdown result;
  for (const Node& node : nodes_) {
    if (is_implied(node)) continue;
    for (std::size_t place = node.begin; place < node.end; ++place) {
      const Cell& cell = cells_[place];
      if (cell.type == roles_->other_type && cell.type != any_type) continue;
      if (!cell.is_kept) {
        ++result.dropped;
        continue;
      }
      result.site.push_back(node.site);
      result.type.push_back(cell.type);
      result.size.push_back(cell.size);
      result.count.push_back(cell.count);
    }
  }
  return result;
}

void BreakdownMaker::forget() {
  for (const FrameIndex frame : used_) nodes_of_[at(frame)] = 0;
  used_.clear();
  nodes_.clear();
  rows_.clear();
  cells_.clear();
}

}  // namespace heapcheck::conversion::chrome::legacy
