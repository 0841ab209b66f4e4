// The allocations in one profile or dump by call stack, whatever its format, and the answers about them. A
// profile is sound: every index is in range, and a caller comes before what it calls. Owns its memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapcheck/types/texts.hpp"

namespace heapcheck {

/// A tree of calls, and the memory that was allocated at each place in it.
struct AllocationProfile {
  // Places in the tree: columns of the same length. Place 0 is the root: the empty stack.
  std::vector<std::uint32_t> caller;  ///< a place, which is an earlier one; 0 for the root
  std::vector<std::uint32_t> frame;   ///< an index into texts; mostly `(root)` for the root
  // Where the function of each place begins: columns of that length, or empty if the format does not say it.
  std::vector<std::uint32_t>
      script;                       ///< its URL or path: an index into texts; an empty text if it is unknown
  std::vector<std::uint32_t> line;  ///< counted from 1; 0 if it is unknown
  std::vector<std::uint32_t> column;  ///< counted from 1; 0 if it is unknown

  // Memory: columns of the same length, or empty if the format does not have them. No bytes are in two rows.
  std::vector<std::uint32_t> place;      ///< of the innermost frame
  std::vector<std::uint32_t> type;       ///< an index into texts; may be empty
  std::vector<std::uint32_t> allocator;  ///< an index into texts; may be empty
  std::vector<std::uint64_t> size;       ///< bytes
  std::vector<std::uint64_t> count;      ///< objects; may be empty

  Texts texts;          ///< no two of them are equal
  std::string process;  ///< its name and id, such as `Renderer 4711`; empty if the format has no processes
};

/// What to count in a profile of allocations by call stack.
enum class AllocationsOf : std::uint8_t { frames, types, allocators };

/// Where a tree of calls begins: at the root, with callees below their callers, or at the frames that
/// allocated memory, with callers below what they called.
enum class StackTree : std::uint8_t { from_root, inverted };

/// A place in a tree of calls, with all calls of the same frame there.
struct StackRow {
  std::uint32_t depth = 0;  ///< the number of rows above it
  std::uint32_t frame = 0;  ///< an index into AllocationProfile::texts
  std::uint64_t count = 0;  ///< objects, of which `size` is the size
  /// The bytes that the frame allocated there itself; in an inverted tree, those of the stacks that begin
  /// with it. So the sizes of all rows add up to the size of the profile.
  std::uint64_t size = 0;
  std::uint64_t cumulative = 0;  ///< the size of this row and of all rows below it, in bytes
};

}  // namespace heapcheck
