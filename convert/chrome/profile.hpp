// The meaning of Chrome heap dumps, whichever format they were written in: for each process, a tree of stack
// frames and the names of types; for each dump and allocator, self sizes and counts by frame and type. Every
// conversion goes through it. Structures of arrays; they own their memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/chrome/event.hpp"
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

/// One event that carried heaps.
struct Dump {
  heapcheck::chrome::EventHead head;
  std::vector<Heap> heaps;
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

}  // namespace heapcheck::conversion::chrome
