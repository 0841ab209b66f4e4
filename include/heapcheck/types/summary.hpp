// The content of a file, as shown by `heapcheck info`: its format, its blocks with their offsets and sizes,
// its snapshots, and totals. All of them are values that own their memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/format.hpp"
#include "heapcheck/types/no_value.hpp"
#include "heapcheck/types/process.hpp"

namespace heapcheck {

/// A fact about a whole file, either stated in the file or derived from it.
struct Fact {
  std::string key;    ///< for programs
  std::string label;  ///< for humans; empty if the fact is not meant for them
  /// Has no value if the fact is a number that does not fit in 64 bits.
  std::variant<NoValue, std::uint64_t, bool, std::string> value;
  std::string words = {};  ///< for humans, instead of the value; empty if the value is enough
};

/// A block, section or line of a file.
struct FileBlock {
  std::string kind;                        ///< the format's name for it
  std::optional<std::uint64_t> part = {};  ///< in a MoarVM dump: the part to which it belongs, if any
  Span span = {};                          ///< its place
  std::uint64_t expanded = 0;              ///< decompressed size of its content, in bytes
  std::uint64_t entry_bytes = 0;           ///< the size of each number in a column; 0 for other blocks
  std::uint64_t count = 0;                 ///< the number of items it contains
  bool is_whole = true;                    ///< whether all of it could be read
};

/// One snapshot of a MoarVM dump. The counts by kind and the number of bytes are 0 if its graph could not be
/// read completely.
struct MvmheapSnapshot {
  std::uint64_t index = 0;  ///< its position in the file, from 0
  bool is_whole = false;    ///< whether all of it could be read
  /// Numbers that the file states about the snapshot, under the names used in the file.
  std::vector<std::pair<std::string, std::uint64_t>> claims = {};
  std::uint64_t collectables = 0;  ///< collectables of every kind
  std::uint64_t references = 0;    ///< references of every kind
  std::uint64_t objects = 0;       ///< collectables of this kind
  std::uint64_t type_objects = 0;  ///< collectables of this kind
  std::uint64_t stables = 0;       ///< collectables of this kind
  std::uint64_t frames = 0;        ///< collectables of this kind
  std::uint64_t byte_count = 0;    ///< the size of all collectables, including unmanaged bytes
};

/// The content of a MoarVM dump.
struct MvmheapSummary {
  std::vector<MvmheapSnapshot> snapshots;  ///< in file order
  std::vector<FileBlock> blocks;           ///< in file order
  bool is_one_snapshot = false;  ///< whether only one snapshot was requested, in which case there are no
                                 ///< blocks
};

/// The amount of space that a part of a JSON document takes up.
struct JsonSize {
  std::uint64_t items = 0;  ///< the number of elements or members in its outermost array or object
  /// Values at every depth. Each element counts as 1, and each member as 3 (its key, its value and the pair).
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;  ///< the size of its text

  /// Adds the size of another part.
  JsonSize& operator+=(const JsonSize& other) {
    items += other.items;
    values += other.values;
    bytes += other.bytes;
    return *this;
  }
};

/// The amount of space that the heaps of one allocator take up in all dumps.
struct AllocatorSize {
  std::string name;  ///< as in the trace
  JsonSize size;     ///< the total size of all its heaps
};

/// The amount of space that the heap dumps of one process take up in a trace.
struct ProcessSummary {
  std::int64_t pid = 0;              ///< the id of the process
  std::string name;                  ///< empty if the trace does not name it
  JsonSize type_names;               ///< the map of type names
  JsonSize stack_frames;             ///< the map of stack frames
  JsonSize strings;                  ///< the map of strings, in heaps_v2 only
  std::uint64_t unique_frames = 0;   ///< the number of distinct frame names
  std::uint64_t root_frames = 0;     ///< the number of frames without a parent
  std::uint64_t leaf_frames = 0;     ///< the number of frames without children
  std::uint64_t dumps = 0;           ///< the number of dumps of the process
  std::vector<AllocatorSize> heaps;  ///< one row per allocator
};

/// One allocator in one dump of a trace.
struct HeapSummary {
  std::int64_t pid = 0;          ///< the id in the event, which may be that of the browser
  DumpProcess process = {};      ///< the process that the dump describes
  std::string dump_id;           ///< as in the trace
  std::string allocator;         ///< as in the trace
  std::uint64_t rows = 0;        ///< the number of entries of the heap
  std::uint64_t byte_count = 0;  ///< the size of all allocated objects
  /// The number of allocated objects; none if the file does not state it.
  std::optional<std::uint64_t> objects = {};
};

/// The content of a Chrome trace.
struct TraceSummary {
  std::vector<ProcessSummary> processes;  ///< in the order in which they are shown
  std::vector<HeapSummary> heaps;         ///< in file order
};

/// The content of a V8 sampling heap profile.
struct ProfileSummary {
  std::vector<FileBlock> parts;  ///< in file order
};

/// The content of a V8 heap snapshot or timeline.
struct SnapshotSummary {
  /// The members of `meta` that name the columns of a section, with the names that they list.
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  std::vector<FileBlock> sections;  ///< in file order
};

/// The content of a file, as far as it could be read.
struct Summary {
  Format format{};                              ///< the format that was found
  Compression compression = Compression::none;  ///< the compression around the whole file
  bool is_foreign = false;                      ///< whether the file contains nothing that belongs to the
                                                ///< format
  std::uint64_t byte_count = 0;                 ///< the size of the decompressed file
  std::uint64_t errors = 0;                     ///< the number of errors found while reading; validate()
                                                ///< describes them
  std::uint64_t limits = 0;                     ///< the number of limits reached while reading
  std::vector<Fact> facts;                      ///< in the order in which they are shown
  /// The parts of the summary that only files of this kind have.
  std::variant<MvmheapSummary, TraceSummary, ProfileSummary, SnapshotSummary> content;
};

}  // namespace heapcheck
