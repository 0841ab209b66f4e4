// The allocations by call stack from one profile or dump in any format, and the answers to questions about
// them. A profile is sound: every index is in range, and a caller comes before its callees. Owns its memory.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapcheck/types/process.hpp"
#include "heapcheck/types/texts.hpp"

namespace heapcheck {

/// A function, or a frame in a Chrome trace, which has only a name. Functions with the same name that start
/// at different places are different functions.
struct StackFrame {
  std::uint32_t name = 0;            ///< an index into AllocationProfile::texts; may refer to an empty string
  std::uint32_t script = no_script;  ///< its URL or path, as an index into texts; no_script if it is unknown
  std::uint32_t line = 0;            ///< where it starts, counted from 1; 0 if it is unknown
  std::uint32_t column = 0;          ///< likewise

  static constexpr std::uint32_t no_script = UINT32_MAX;  ///< used instead of an index into texts
  friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
};

/// A tree of calls, with the memory that was allocated at each place in the tree.
struct AllocationProfile {
  std::vector<StackFrame> frames;  ///< no two are equal
  // Places in the tree: columns of the same length. Place 0 is the root: the empty stack.
  std::vector<std::uint32_t> caller;  ///< an earlier place; 0 for the root
  std::vector<std::uint32_t> frame;   ///< an index into frames; usually `(root)` for the root
  // What each place itself allocated since tracking began, whether it is still alive or not: columns of the
  // same length, or empty if the format does not say.
  std::vector<std::uint64_t> allocated_size;   ///< bytes
  std::vector<std::uint64_t> allocated_count;  ///< objects

  // Memory: columns of the same length, or empty if the format does not have them. No byte is counted in more
  // than one row.
  std::vector<std::uint32_t> place;      ///< the place of the innermost frame
  std::vector<std::uint32_t> type;       ///< an index into texts; may be empty
  std::vector<std::uint32_t> allocator;  ///< an index into texts; may be empty
  std::vector<std::uint64_t> size;       ///< bytes
  std::vector<std::uint64_t> count;      ///< objects; empty if their number is unknown
  /// Whether the number of objects is unknown, as in sampling profiles and in Chrome's first heap dumps. A
  /// profile without rows can show that only here.
  bool lacks_counts = false;
  // The nodes of a timeline that have no stack, because they were allocated before stacks were recorded or by
  // V8 itself. No row includes them.
  std::uint64_t left_out_count = 0;
  std::uint64_t left_out_size = 0;  ///< bytes

  Texts texts;          ///< no two are equal
  DumpProcess process;  ///< the process and the memory dump, in a Chrome trace
};

/// The script of a frame; empty if it is unknown.
[[nodiscard]] inline std::string_view script_of(const AllocationProfile& profile, const StackFrame& frame) {
  return frame.script == StackFrame::no_script ? std::string_view() : profile.texts[frame.script];
}

/// Whether the number of objects is known.
[[nodiscard]] inline bool has_counts(const AllocationProfile& profile) {
  return !profile.lacks_counts && profile.count.size() == profile.size.size();
}

/// Whether the profile also states how much was allocated in total.
[[nodiscard]] inline bool has_allocated(const AllocationProfile& profile) {
  return !profile.allocated_size.empty();
}

/// A moment at which a timeline recorded which ids had been assigned.
struct AllocationSample {
  std::uint64_t time = 0;     ///< microseconds since the recording began
  std::uint64_t last_id = 0;  ///< the largest id that had been assigned by then
};

/// What to count in a profile of allocations by call stack.
enum class AllocationsOf : std::uint8_t { frames, types, allocators };

/// Where a tree of calls starts: either at the root, with callees below their callers, or at the frames that
/// allocated memory, with callers below their callees.
enum class StackTree : std::uint8_t { from_root, inverted };

/// A place in a tree of calls, which combines all calls of the same frame at that place.
struct StackRow {
  std::uint32_t depth = 0;  ///< the number of rows above it
  std::uint32_t frame = 0;  ///< an index into AllocationProfile::frames
  std::uint64_t count = 0;  ///< the number of objects that make up `size`; 0 if the profile has no counts
  /// The bytes that the frame itself allocated there; in an inverted tree, the bytes of the stacks that begin
  /// with it. The sizes of all rows therefore add up to the size of the profile.
  std::uint64_t size = 0;
  std::uint64_t cumulative = 0;  ///< the size of this row and all rows below it, in bytes
  // The same as count and size, but for everything that was allocated since tracking began.
  std::uint64_t allocated_count = 0;  ///< 0 if it is unknown; see has_allocated()
  std::uint64_t allocated_size = 0;   ///< likewise, in bytes
};

}  // namespace heapcheck
