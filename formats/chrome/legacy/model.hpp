// The legacy heap dumps in a trace, as stored in the file: with cumulative values, the file's own ids, and
// the locations of both. They are structures of arrays and own their memory. The values are interpreted in
// convert/chrome/legacy/profile.hpp. spec: chrome/legacy.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/chrome/container.hpp"
#include "formats/chrome/legacy/ids.hpp"
#include "formats/core/json/place.hpp"
#include "formats/core/string_pool.hpp"

namespace heapcheck::chrome::legacy {

/// Used instead of a size or count that an entry does not have or that could not be read.
inline constexpr std::uint64_t no_value = UINT64_MAX;

/// The `entries` array of an allocator: columns of the same length, with a row for each element, even for
/// elements that could not be read.
struct Entries {
  std::vector<FrameId> frame;
  std::vector<TypeId> type;
  std::vector<std::uint64_t> size;    ///< bytes, or no_value
  std::vector<std::uint64_t> count;   ///< objects, or no_value
  std::vector<std::uint32_t> at;      ///< the offset of the element from the array's opening bracket
  std::vector<std::uint16_t> length;  ///< the length of the element, or the largest value if the element is
                                      ///< longer

  [[nodiscard]] std::uint64_t row_count() const { return frame.size(); }
  /// Returns whether values are self values: the first entry has no `bt`, exactly one entry has neither `bt`
  /// nor `type`, and no entry has both. Takes linear time if the first entry has no `bt`.
  /// spec: chrome/legacy.md#old
  [[nodiscard]] bool is_old_variant() const;
  /// The row of the entry for all stacks and types, if any. Takes linear time.
  [[nodiscard]] std::optional<std::uint64_t> total_row() const;
  /// The value of the entry for all stacks and types in `values`, one of the columns. Without such an entry,
  /// that of the first one, which is the best guess; 0 if there is no entry, nothing if it does not have the
  /// value.
  [[nodiscard]] std::optional<std::uint64_t> total(const std::vector<std::uint64_t>& values) const;
};

/// The memory of one allocator.
struct Heap {
  std::string allocator;
  Span span;                ///< the span of the array of entries, or of the whole value if there is no array
  bool is_damaged = false;  ///< whether an entry was unreadable, so that others may only appear to be missing
  Entries entries;
};

/// The location of a value in an event.
struct Source {
  core::JsonPlace place;
  Span span;

  [[nodiscard]] Location location() const { return place.locate(span); }
};

/// One event that contained heaps.
struct Dump {
  EventHead head;
  Source source;  ///< the location of its `heaps`
  std::vector<Heap> heaps;

  /// The location of an entry; `suffix` is appended to its path.
  [[nodiscard]] Location locate(const Heap& heap, std::uint64_t row, std::string_view suffix = {}) const;
};

/// The names of one process, by id: columns of the same length, in the order of the trace.
struct Names {
  std::vector<core::PoolIndex> name;
  std::vector<std::uint64_t> offset;  ///< the file offset of the key's opening quote
  std::vector<std::uint32_t> length;  ///< the length of the member
  std::vector<std::uint32_t> event;   ///< an index into `events`
  std::vector<Source> events;         ///< the objects that contain the names
  bool is_damaged = false;            ///< whether an id was unreadable, so that others may only appear to be
                                      ///< missing
  bool is_broken = false;             ///< whether there was an error in one of the objects

  [[nodiscard]] std::uint64_t count() const { return name.size(); }
  [[nodiscard]] bool is_present() const { return !events.empty(); }
};
struct Frames : Names {
  std::vector<FrameId> id;
  std::vector<FrameId> parent;  ///< the parent, or empty_stack
};
struct Types : Names {
  std::vector<TypeId> id;
};

struct Process {
  std::int64_t pid = 0;
  std::string name;  ///< from `process_name`; empty if unknown
  Frames frames;
  Types types;
  std::vector<Dump> dumps;  ///< in the order of the trace
};

struct Model {
  core::StringPool strings;  ///< names of frames and types
  IdPool ids;
  std::vector<Process> processes;  ///< in the order of the trace
  /// The size in bytes below which the writer left out entries, if the trace states it.
  std::optional<std::uint64_t> threshold;

  /// The location of the frame or type in `row` of `names`, whose id is `id`.
  [[nodiscard]] Location locate(const Names& names, std::uint64_t row, std::uint32_t id) const;
};

}  // namespace heapcheck::chrome::legacy
