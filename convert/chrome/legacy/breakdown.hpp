// Turns the self values of an allocator into cumulative ones, broken down by stack frame and once by type.
// The input is the rows of a heap and the tree of frames. The output is the entries to be written, with
// positions in the tree instead of ids. Does not use recursion. Time and memory are proportional to the
// number of pairs of a frame and a type that occurs in or below it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convert/chrome/legacy/profile.hpp"
#include "convert/chrome/profile.hpp"

namespace heapcheck::conversion::chrome::legacy {

/// What an entry describes: the empty stack, a frame, or the `<self>` callee of either. Sites are in the
/// order of the ids that they get.
enum class Site : std::uint32_t {};
inline constexpr Site root_site{0};
inline constexpr std::uint64_t max_frames = (std::uint64_t{1} << 31) - 2;

inline Site site_of(FrameIndex frame) {
  return Site{frame == no_frame ? 0 : 2 * static_cast<std::uint32_t>(frame) + 2};
}
inline Site self_of(Site site) { return Site{static_cast<std::uint32_t>(site) + 1}; }
inline bool is_self(Site site) { return (static_cast<std::uint32_t>(site) & 1) != 0; }
/// The frame of a site. The site is either that frame itself or its `<self>` callee.
inline FrameIndex frame_of(Site site) {
  const std::uint32_t place = static_cast<std::uint32_t>(site) / 2;
  return place == 0 ? no_frame : FrameIndex{place - 1};
}

/// All types.
inline constexpr TypeIndex any_type{UINT32_MAX};

/// Entries sorted by site and type, with any_type first.
struct Breakdown {
  std::vector<Site> site;
  std::vector<TypeIndex> type;
  std::vector<std::uint64_t> size;
  std::vector<std::uint64_t> count;
  std::uint64_t dropped = 0;  ///< the number of entries that the cut-off left out
};

/// The frames and types whose names play a role when values are broken down.
struct Roles {
  std::vector<bool> is_other;       ///< by frame: whether it is called `<other>`
  std::vector<FrameIndex> owner;    ///< by frame: itself, or the caller to which its memory is added
  TypeIndex other_type = any_type;  ///< the type called `<other>`, if there is one
};

class BreakdownMaker {
 public:
  BreakdownMaker(const FrameTree& frames, std::uint64_t type_count, const Roles& roles, const CutOff& cut_off)
      : frames_(&frames),
        roles_(&roles),
        cut_off_(cut_off),
        nodes_of_(frames.count(), 0),
        places_(type_count, 0) {}

  /// The entries of a heap. Its sizes must add up to less than no_value, as must its counts. `max_cells` is
  /// the number of cumulative values that may be made, and is reduced by the number that were made. Returns
  /// nothing if `max_cells` is too small.
  std::optional<Breakdown> make(const chrome::Heap& heap, std::uint64_t& max_cells);

 private:
  struct Cell {
    TypeIndex type;
    std::uint64_t size;
    std::uint64_t count;
    bool is_kept = false;
  };
  /// A site that has memory, and its cells: first the cell for all types, and then one for each type.
  struct Node {
    Site site = root_site;
    std::uint32_t parent = 0;
    std::uint32_t callee_count = 0;
    std::uint32_t first_callee = 0;  ///< 0: none
    std::uint32_t next_callee = 0;   ///< of the same parent; 0: none
    std::uint64_t first_row = 0;     ///< in rows_
    std::size_t begin = 0;           ///< in cells_
    std::size_t end = 0;
  };

  void find_frames(const chrome::Heap& heap);
  void make_nodes(const chrome::Heap& heap);
  std::uint32_t add_node(Site site, std::uint32_t parent);
  void place_rows(const chrome::Heap& heap);
  bool make_cells(const chrome::Heap& heap, std::uint64_t& max_cells);
  void add_to(const Node& node, Cell cell);
  void keep_by_threshold();
  void keep_by_share();
  void keep_callees(const Node& node);
  void keep_largest(std::span<const std::size_t> cells);
  [[nodiscard]] FrameIndex owner_of(const chrome::Heap& heap, std::uint64_t row) const;
  [[nodiscard]] bool is_implied(const Node& node) const;
  [[nodiscard]] Breakdown take_kept() const;
  void forget();

  const FrameTree* frames_;
  const Roles* roles_;
  CutOff cut_off_;
  std::vector<FrameIndex> used_;     // the frames with memory in or below them
  std::vector<bool> has_rows_;       // by index in used_ + 1; 0 is the empty stack
  std::vector<Node> nodes_;          // the empty stack, followed by callees after their callers
  std::vector<std::uint64_t> rows_;  // of the heap, sorted by node
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> nodes_of_;  // by frame, 0 for none; all 0 between two heaps
  std::vector<std::size_t> places_;      // by type: index of its cell, 0 for none; all 0 between two nodes
};

}  // namespace heapcheck::conversion::chrome::legacy
