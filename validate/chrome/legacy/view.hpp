// A process and one of its heaps in the form that the rules use: ids are resolved to rows, and entries are
// sorted so that an entry can be found by its stack and type. Borrows the model.
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
  std::uint32_t row;                   ///< of the entry
  std::optional<std::uint32_t> whole;  ///< the row of the entry that contains it, if the finding names one
  std::string_view above;              ///< a description of that entry
  std::string message;
};

/// The faults in the sums of a process. A wrong frame breaks sums in every dump and for every type.
struct SumFaults {
  std::unordered_set<std::uint32_t, core::KeyedHash> blamed;  ///< nodes; the first fault of each is kept
  std::vector<SumFault> faults;
  bool has_broken_types = false;                               ///< a sum of types is broken
  std::unordered_set<std::uint32_t, core::KeyedHash> callers;  ///< nodes that hold less than their callees
  std::uint64_t broken_callers = 0;                            ///< entries that hold less than their callees
  std::uint64_t broken = 0;                                    ///< broken sums of callees
  struct Callee {
    std::uint64_t righted = 0;  ///< the number of broken sums that would be right without the callee
    std::uint64_t value = 0;    ///< the total of its values in these sums
  };
  std::unordered_map<std::uint32_t, Callee, core::KeyedHash> callees;  ///< by node
};

/// What has been found in the entries of a process so far.
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
  bool is_complete;  ///< the trace was read to its end
  format::FrameForest forest;
  format::IdIndex types;
  EntryFaults found;
  bool is_broken;  ///< its frames or types are broken, so values may merely appear to contradict each other
  /// By node: the first entry of the heap that is being checked; nowhere between heaps. Kept here because
  /// checking a small heap must not take as much time as all frames would.
  std::vector<std::uint32_t> first_entry;
};

inline constexpr std::uint32_t nowhere = UINT32_MAX;

/// An entry whose stack and type are known.
struct EntryView {
  std::uint32_t node = 0;  ///< 0 for the empty stack, otherwise 1 + the row of the frame
  std::uint32_t type = 0;  ///< 0 for all types, otherwise 1 + the row of the type
  std::uint32_t row = 0;   ///< of the entry

  /// Entries with cumulative values are in key order.
  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{node} << 32U | type; }
};

struct HeapView {
  ProcessView* process = nullptr;
  const format::Dump* dump = nullptr;
  const format::Heap* heap = nullptr;
  std::vector<EntryView> entries;  ///< sorted by node and type, without duplicates
  bool is_old = false;             ///< values are self values
  bool is_whole = true;            ///< `entries` has every entry of the heap
  bool has_totals = true;          ///< the entries of which other entries are a part exist

  // For each entry, the index of the entry of which it is a part; nowhere if there is none.
  std::vector<std::uint32_t> caller;  ///< the entry of the caller with the same type
  std::vector<std::uint32_t> total;   ///< the entry of the same stack for all types

  /// Fills in the two columns above, if values are cumulative.
  void find_wholes();
  /// The node of the caller of `node`, which is not the empty stack.
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
