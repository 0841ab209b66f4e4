// What is inside a file: format, blocks with offset and size, snapshots, totals. What `heapcheck info` shows.
// Values that own what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heapcheck/finding.hpp"
#include "heapcheck/format.hpp"

namespace heapcheck {

/// One thing that a file as a whole says, or that can be told from it.
struct Fact {
  std::string key;    ///< for programs
  std::string label;  ///< for people; empty where it is not for them
  /// Nothing where it is a number that 64 bits do not hold.
  std::variant<std::monostate, std::uint64_t, bool, std::string> value;
  std::string words = {};  ///< for people, instead of the value; empty where that is enough
};

/// A block, section or line of a file.
struct FileBlock {
  std::string kind;                        ///< as the format calls it
  std::optional<std::uint64_t> part = {};  ///< of a MoarVM dump: the part it belongs to, if it belongs to one
  Span span = {};                          ///< where it is
  std::uint64_t expanded = 0;              ///< bytes of content after decompression
  std::uint64_t entry_bytes = 0;           ///< of each number in a column; else 0
  std::uint64_t count = 0;                 ///< of what it holds
  bool is_whole = true;                    ///< whether all of it could be read
};

/// One snapshot of a MoarVM dump. Kinds and bytes are 0 where its graph could not be read whole.
struct MvmheapSnapshot {
  std::uint64_t index = 0;  ///< its place in the file, from 0
  bool is_whole = false;    ///< whether all of it could be read
  /// What the file says of it, by the names that the file uses; empty where it says nothing.
  std::vector<std::pair<std::string, std::uint64_t>> claims = {};
  std::uint64_t collectables = 0;  ///< how many there are
  std::uint64_t references = 0;    ///< how many there are
  std::uint64_t objects = 0;       ///< collectables of this kind
  std::uint64_t type_objects = 0;  ///< collectables of this kind
  std::uint64_t stables = 0;       ///< collectables of this kind
  std::uint64_t frames = 0;        ///< collectables of this kind
  std::uint64_t byte_count = 0;    ///< of all collectables, unmanaged bytes included
};

/// Of a MoarVM dump.
struct MvmheapSummary {
  std::vector<MvmheapSnapshot> snapshots;  ///< in the order of the file
  std::vector<FileBlock> blocks;           ///< in the order of the file
  bool is_one_snapshot = false;            ///< only one snapshot was asked for, and no blocks
};

/// What a part of a JSON document takes up.
struct JsonSize {
  std::uint64_t items = 0;   ///< elements or members of its outermost array or object
  std::uint64_t values = 0;  ///< all elements, and members as key, value and pair, at every depth
  std::uint64_t bytes = 0;   ///< of its text

  /// Adds what another part takes up.
  JsonSize& operator+=(const JsonSize& other) {
    items += other.items;
    values += other.values;
    bytes += other.bytes;
    return *this;
  }
};

/// What the heaps of one allocator take up over all dumps.
struct AllocatorSize {
  std::string name;  ///< as the trace calls it
  JsonSize size;     ///< of its heaps together
};

/// What the heap dumps of one process take up in a trace.
struct ProcessSummary {
  std::int64_t pid = 0;              ///< of the process
  std::string name;                  ///< empty where the trace has none
  JsonSize type_names;               ///< the map of type names
  JsonSize stack_frames;             ///< the map of stack frames
  JsonSize strings;                  ///< of heaps_v2 only
  std::uint64_t unique_frames = 0;   ///< how many names the frames have
  std::uint64_t root_frames = 0;     ///< frames without a parent
  std::uint64_t leaf_frames = 0;     ///< frames that are no parent
  std::uint64_t dumps = 0;           ///< how many there are
  std::vector<AllocatorSize> heaps;  ///< by allocator
};

/// One allocator in one dump of a trace.
struct HeapSummary {
  std::int64_t pid = 0;          ///< of the process
  std::string dump_id;           ///< as the trace gives it
  std::string allocator;         ///< as the trace calls it
  std::uint64_t rows = 0;        ///< entries of the heap
  std::uint64_t byte_count = 0;  ///< of what is allocated
  std::uint64_t objects = 0;     ///< how many are allocated
};

/// Of a Chrome trace.
struct TraceSummary {
  std::vector<ProcessSummary> processes;  ///< in the order in which they are shown
  std::vector<HeapSummary> heaps;         ///< in the order of the file
};

/// Of a sampling profile of V8.
struct ProfileSummary {
  std::vector<FileBlock> parts;  ///< in the order of the file
};

/// Of a heap snapshot or timeline of V8.
struct SnapshotSummary {
  /// The members of `meta` that name the columns of a section, and these names.
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  std::vector<FileBlock> sections;  ///< in the order of the file
};

/// What a file holds, as far as it could be read.
struct Summary {
  Format format{};                              ///< what was found
  Compression compression = Compression::none;  ///< around the whole file
  bool is_foreign = false;                      ///< nothing in the file is of the format
  std::uint64_t byte_count = 0;                 ///< of the file, decompressed
  std::uint64_t errors = 0;                     ///< found while reading; validate() says which
  std::uint64_t limits = 0;                     ///< reached while reading
  std::vector<Fact> facts;                      ///< in the order in which they are shown
  std::variant<MvmheapSummary, TraceSummary, ProfileSummary, SnapshotSummary>
      content;  ///< what only files of this kind have
};

}  // namespace heapcheck
