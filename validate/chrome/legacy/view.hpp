// A process and one of its heaps, in the form that the rules use: ids are resolved to rows, and entries are
// sorted so that each can be found by its stack and type. Borrows the model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/chrome/legacy/frame_forest.hpp"
#include "formats/chrome/legacy/ids.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::validation::chrome::legacy {

namespace format = heapcheck::chrome::legacy;

/// A broken sum, and the entry that caused it.
struct SumFault {
  const Rule* rule;
  const format::Dump* dump;
  const format::Heap* heap;
  std::uint32_t row;                   ///< the row of the entry
  std::optional<std::uint32_t> whole;  ///< the row of the entry that includes it, if the finding names that
                                       ///< entry
  std::string_view above;              ///< a description of the including entry
  std::string message;
};

/// The faults in the sums of a process. A wrong frame breaks sums in every dump and for every type.
struct SumFaults {
  std::unordered_set<std::uint32_t, core::KeyedHash> blamed;  ///< the blamed nodes; only the first fault of
                                                              ///< each is kept
  std::vector<SumFault> faults;
  bool has_broken_types = false;                               ///< whether a sum of types is broken
  std::unordered_set<std::uint32_t, core::KeyedHash> callers;  ///< the nodes that hold less memory than their
                                                               ///< callees
  std::uint64_t broken_callers = 0;                            ///< the number of entries that hold less
                                                               ///< memory than their callees
  std::uint64_t broken = 0;                                    ///< the number of broken sums of callees
  struct Callee {
    std::uint64_t righted = 0;  ///< the number of broken sums that would be correct without the callee
    std::uint64_t value = 0;    ///< the total of the callee's values in these sums
  };
  std::unordered_map<std::uint32_t, Callee, core::KeyedHash> callees;  ///< by node
};

/// The faults found in the entries of a process so far.
struct EntryFaults {
  SumFaults sums;
  std::unordered_set<std::uint32_t, core::KeyedHash> missing_frames;  ///< ids that have been reported
  std::unordered_set<std::uint32_t, core::KeyedHash> missing_types;
  std::unordered_set<std::uint32_t, core::KeyedHash> lost_totals;  ///< nodes that have been reported

  [[nodiscard]] std::uint64_t missing_ids() const { return missing_frames.size() + missing_types.size(); }
  [[nodiscard]] std::uint64_t count() const {
    return sums.faults.size() + missing_ids() + lost_totals.size();
  }
};

struct ProcessView {
  const format::Model* model;
  const format::Process* process;
  bool is_complete;  ///< whether the trace was read to the end
  format::FrameForest forest;
  format::IdIndex types;
  EntryFaults found;
  bool is_broken;  ///< whether frames or types are broken, so that values may only appear to contradict each
                   ///< other
  /// By node: the node's first entry in the heap that is being checked; nowhere between heaps. Kept here so
  /// that checking a small heap does not take time proportional to the number of all frames.
  std::vector<std::uint32_t> first_entry;
};

inline constexpr std::uint32_t nowhere = UINT32_MAX;

/// Replaces the values in a column by `count` others, whose values do not matter. Keeps the memory if it is
/// large enough, because using new memory for each heap takes as long as the checks.
template <class T>
void renew(std::vector<T>& column, std::size_t count) {
  if (column.capacity() < count) std::vector<T>().swap(column);
  column.resize(count);
}

/// An entry whose stack and type are known.
struct EntryView {
  std::uint32_t node = 0;  ///< 0 for the empty stack, otherwise 1 + the row of the frame
  std::uint32_t type = 0;  ///< 0 for all types, otherwise 1 + the row of the type
  std::uint32_t row = 0;   ///< of the entry

  /// Entries with cumulative values are in key order.
  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{node} << 32U | type; }
};

/// The same view is used for all heaps of a process, so that its columns keep their memory.
struct HeapView {
  explicit HeapView(ProcessView& of) : process(&of) {}

  ProcessView* process;
  const format::Dump* dump = nullptr;
  const format::Heap* heap = nullptr;
  std::vector<EntryView> entries;  ///< sorted by node and type, without duplicates
  bool is_old = false;             ///< whether values are self values
  bool is_whole = true;            ///< whether `entries` contains every entry of the heap
  bool has_totals = true;          ///< whether all entries exist that other entries are part of

  // For each entry, the index of the entry that it is part of; nowhere if there is none.
  std::vector<std::uint32_t> caller;  ///< the caller's entry for the same type
  std::vector<std::uint32_t> total;   ///< the same stack's entry for all types
  std::vector<std::uint64_t> sum;     ///< the sum of the parts of each entry, while sums are checked

  /// Moves on to another heap, whose columns are not filled in yet.
  void begin(const format::Dump& of_dump, const format::Heap& of_heap) {
    dump = &of_dump;
    heap = &of_heap;
    is_old = of_heap.entries.is_old_variant();
    is_whole = has_totals = true;
  }
  /// Fills in the two columns above, if values are cumulative.
  void find_wholes();
  /// The node of the caller of `node`, which must not be the empty stack.
  [[nodiscard]] std::uint32_t caller_of(std::uint32_t node) const {
    const std::uint32_t parent = process->forest.parent[node - 1];
    return parent == format::no_row ? 0 : parent + 1;
  }
  [[nodiscard]] std::string path() const {
    return dump->source.place.path + "/" + core::escape_key(heap->allocator);
  }

 private:
  void find_wholes_of(std::uint32_t begin, std::uint32_t end);
  [[nodiscard]] std::uint32_t seek(std::uint32_t entry, std::uint64_t key) const;
};

}  // namespace heapcheck::validation::chrome::legacy
