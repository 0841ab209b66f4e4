// The meaning of Chrome heap dumps, regardless of their format: for each process, a tree of stack frames and
// the names of types, and for each dump and allocator, self sizes and counts by frame and type. Every
// conversion goes through this profile. The types are structures of arrays that own their memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "formats/chrome/container.hpp"
#include "formats/core/checked.hpp"
#include "formats/core/string_pool.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::conversion::chrome {

/// An index into FrameTree.
enum class FrameIndex : std::uint32_t {};
/// An index into Process::types.
enum class TypeIndex : std::uint32_t {};

/// The empty stack: the parent of the outermost frames, and the frame of memory without a stack.
inline constexpr FrameIndex no_frame{UINT32_MAX};

/// Stack frames: columns of the same length. A frame comes after its parent, and no two frames have the same
/// parent and name.
struct FrameTree {
  std::vector<FrameIndex> parent;
  std::vector<core::PoolIndex> name;

  [[nodiscard]] std::uint64_t count() const { return name.size(); }
  friend bool operator==(const FrameTree&, const FrameTree&) = default;
};

/// The memory of an allocator: columns of the same length, with a row for each frame and type that has
/// memory.
struct Heap {
  std::string allocator;
  std::vector<FrameIndex> frame;  ///< the innermost frame, or no_frame
  std::vector<TypeIndex> type;
  std::vector<std::uint64_t> size;   ///< bytes of exactly this frame and type
  std::vector<std::uint64_t> count;  ///< objects of exactly this frame and type

  [[nodiscard]] std::uint64_t row_count() const { return frame.size(); }
  void add(FrameIndex of_frame, TypeIndex of_type, std::uint64_t of_size, std::uint64_t of_count) {
    frame.push_back(of_frame);
    type.push_back(of_type);
    size.push_back(of_size);
    count.push_back(of_count);
  }
  friend bool operator==(const Heap&, const Heap&) = default;
};

/// A row that is to be added to a Heap.
struct HeapRow {
  FrameIndex frame;
  TypeIndex type;
  std::uint64_t size;   ///< bytes
  std::uint64_t count;  ///< objects
};

/// Appends `rows` to `heap`, which must be empty, in order of frame and type, and adds up rows with the same
/// frame and type. Returns the number of sums that need more than 64 bits; these are set to the largest
/// number instead.
inline std::uint64_t append_rows(std::vector<HeapRow> rows, Heap& heap) {
  const auto key = [](const HeapRow& row) { return std::pair(row.frame, row.type); };
  if (!std::ranges::is_sorted(rows, {}, key)) std::ranges::sort(rows, {}, key);
  std::uint64_t lost_sums = 0;
  const auto add_up = [&lost_sums](std::uint64_t& sum, std::uint64_t value) {
    lost_sums += core::checked_add(sum, value) ? 0U : 1U;
    sum = core::saturating_add(sum, value);
  };
  for (const HeapRow& row : rows) {
    if (heap.row_count() != 0 && heap.frame.back() == row.frame && heap.type.back() == row.type) {
      add_up(heap.size.back(), row.size);
      add_up(heap.count.back(), row.count);
    } else {
      heap.add(row.frame, row.type, row.size, row.count);
    }
  }
  return lost_sums;
}

/// One event that contained heaps.
struct Dump {
  heapcheck::chrome::EventHead head;
  std::vector<Heap> heaps;
  bool has_counts = true;  ///< whether every entry states its number of objects
};

struct Process {
  std::int64_t pid = 0;
  std::string name;  ///< from `process_name`; empty if the trace does not state it
  FrameTree frames;
  std::vector<core::PoolIndex> types;  ///< distinct names
  std::vector<Dump> dumps;             ///< in the order of the trace
};

struct Profile {
  core::StringPool strings;
  std::vector<Process> processes;  ///< in the order of the trace
};

/// A profile and the information in the file that the profile does not preserve, as losses in a fixed order,
/// none of which has a count of 0.
struct Meaning {
  Profile profile;
  std::vector<Loss> losses;
};

}  // namespace heapcheck::conversion::chrome
