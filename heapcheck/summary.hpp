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
  std::string kind;
  std::optional<std::uint64_t> part = {};  ///< of a MoarVM dump: the part it belongs to, if it belongs to one
  Span span = {};
  std::uint64_t expanded = 0;     ///< bytes of content after decompression
  std::uint64_t entry_bytes = 0;  ///< of each number in a column; else 0
  std::uint64_t count = 0;        ///< of what it holds
  bool is_whole = true;
};

/// One snapshot of a MoarVM dump. Kinds and bytes are 0 where its graph could not be read whole.
struct MvmheapSnapshot {
  std::uint64_t index = 0;
  bool is_whole = false;
  /// What the file says of it, by the names that the file uses; empty where it says nothing.
  std::vector<std::pair<std::string, std::uint64_t>> claims = {};
  std::uint64_t collectables = 0;
  std::uint64_t references = 0;
  std::uint64_t objects = 0;
  std::uint64_t type_objects = 0;
  std::uint64_t stables = 0;
  std::uint64_t frames = 0;
  std::uint64_t byte_count = 0;
};

struct MvmheapSummary {
  std::vector<MvmheapSnapshot> snapshots;
  std::vector<FileBlock> blocks;
};

/// What a part of a JSON document takes up.
struct JsonSize {
  std::uint64_t items = 0;   ///< elements or members of its outermost array or object
  std::uint64_t values = 0;  ///< all elements, and members as key, value and pair, at every depth
  std::uint64_t bytes = 0;   ///< of its text

  JsonSize& operator+=(const JsonSize& other) {
    items += other.items;
    values += other.values;
    bytes += other.bytes;
    return *this;
  }
};

/// What the heaps of one allocator take up over all dumps.
struct AllocatorSize {
  std::string name;
  JsonSize size;
};

struct ProcessSummary {
  std::int64_t pid = 0;
  std::string name;
  JsonSize type_names;
  JsonSize stack_frames;
  JsonSize strings;  ///< of heaps_v2 only
  std::uint64_t unique_frames = 0;
  std::uint64_t root_frames = 0;
  std::uint64_t leaf_frames = 0;
  std::uint64_t dumps = 0;
  std::vector<AllocatorSize> heaps;
};

/// One allocator in one dump of a trace.
struct HeapSummary {
  std::int64_t pid = 0;
  std::string dump_id;
  std::string allocator;
  std::uint64_t rows = 0;
  std::uint64_t byte_count = 0;
  std::uint64_t objects = 0;
};

struct TraceSummary {
  std::vector<ProcessSummary> processes;
  std::vector<HeapSummary> heaps;
};

/// Of a sampling profile of V8.
struct ProfileSummary {
  std::vector<FileBlock> parts;
};

/// Of a heap snapshot or timeline of V8.
struct SnapshotSummary {
  /// The members of `meta` that name the columns of a section, and these names.
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  std::vector<FileBlock> sections;
};

/// What a file holds, as far as it could be read.
struct Summary {
  Format format{};
  Compression compression = Compression::none;
  bool is_foreign = false;       ///< nothing in the file is of the format
  std::uint64_t byte_count = 0;  ///< of the file, decompressed
  std::uint64_t errors = 0;      ///< found while reading; validate() says which
  std::uint64_t limits = 0;      ///< reached while reading
  std::vector<Fact> facts;       ///< in the order in which they are shown
  std::variant<MvmheapSummary, TraceSummary, ProfileSummary, SnapshotSummary> content;
};

}  // namespace heapcheck
