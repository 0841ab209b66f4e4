// Finds out which process a heap dump describes by its memory maps: the regions of memory in
// `process_mmaps.vm_regions`. Compares the regions next to the heaps with those next to the totals of each
// process, whose `pid` is always right. Reads both from the events of a trace. Owns the distinct regions.
// spec: chrome/trace.md#processes
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "formats/chrome/payload.hpp"
#include "formats/core/keyed_hash.hpp"
#include "formats/core/memory_budget.hpp"
#include "heapcheck/types/limits.hpp"

namespace heapcheck::chrome {

/// A region of virtual memory.
struct MapRegion {
  std::uint64_t start = 0;
  std::uint64_t size = 0;

  friend bool operator==(const MapRegion&, const MapRegion&) = default;
};

class ProcessMaps final : public PayloadReader {
 public:
  explicit ProcessMaps(const Limits& limits)
      : memory_(std::min(limits.max_memory / share_of_memory, most_memory)) {}

  [[nodiscard]] bool reads(Payload payload) const override {
    return payload == Payload::process_mmaps || payload == Payload::process_totals;
  }
  void read(Payload payload, core::JsonReader& json, const core::JsonPlace& place,
            core::FindingSink& sink) override;
  void forget(Payload payload) override;
  void finish_event(const EventHead& head, bool is_kept, core::FindingSink& sink) override;

  /// Call this after an event with heaps, before the next event: its regions are those of the heaps.
  void keep_heaps(std::uint64_t event);

  /// The ids of the processes of events with heaps, by event. Leaves out the events whose regions do not
  /// decide the question. Call this once, after the last event.
  [[nodiscard]] std::map<std::uint64_t, std::int64_t> find_processes();

 private:
  using RegionIndex = std::uint32_t;
  using ProcessIndex = std::uint32_t;
  /// A region that a process has in several events with totals, one after the other.
  struct Run {
    RegionIndex region;
    ProcessIndex process;
    std::uint32_t begin;  // the number of such events of the process before the first one
    std::uint32_t end;    // the number of such events up to and including the last one
  };
  /// A process with totals.
  struct Totals {
    std::uint32_t event_count = 0;
    std::vector<Run> open;  // the regions in the last event, sorted by region
  };
  struct RegionKeyedHash {
    std::size_t operator()(const MapRegion& region) const {
      return core::KeyedHash::combine(core::KeyedHash{}(region.start), region.size);
    }
  };
  class Decision;

  /// The part of Limits::max_memory that regions may use. Without regions, processes may remain unknown, but
  /// everything else is known.
  static constexpr std::uint64_t share_of_memory = 8;
  /// With this much memory, there are fewer than 2^32 regions.
  static constexpr std::uint64_t most_memory = std::uint64_t{1} << 38;

  void read_regions(core::JsonReader& json);
  void read_region(core::JsonReader& json);
  void add(const MapRegion& region);
  void add_totals(std::int64_t pid);
  void extend(Totals& totals, ProcessIndex process);
  [[nodiscard]] bool take_memory(std::uint64_t byte_count);

  core::MemoryBudget memory_;
  std::unordered_map<MapRegion, RegionIndex, RegionKeyedHash> regions_;
  std::uint64_t read_count_ = 0;  // the number of regions in all events, including equal ones

  // The current event, and the last one that was kept.
  std::vector<RegionIndex> current_;
  bool has_totals_ = false;
  std::vector<RegionIndex> last_;  // sorted, without equal ones

  std::vector<std::int64_t> pids_;  // by process
  std::map<std::int64_t, ProcessIndex> processes_;
  std::vector<Totals> totals_;  // by process
  std::vector<Run> runs_;
  std::map<std::uint64_t, std::vector<RegionIndex>> heaps_;  // by event
};

}  // namespace heapcheck::chrome
