// Decides which process each heap dump in a trace describes. Chrome's own traces may carry the dumps of all
// processes under the id of the browser. All functions are pure. spec: chrome/trace.md#processes
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "formats/chrome/container.hpp"

namespace heapcheck::chrome {

/// What is known about the event of a heap dump.
struct DumpEvent {
  const EventHead* head = nullptr;
  bool is_legacy = false;  ///< whether it carries legacy heaps
};

/// The processes that a trace names, and those that its memory maps show.
struct ProcessEvidence {
  const std::map<std::uint64_t, std::int64_t>& by_maps;  ///< see ProcessMaps::find_processes()
  const std::map<std::int64_t, std::string>& names;      ///< by id
  const std::set<std::int64_t>& with_memory_dumps;       ///< ids of processes with memory dumps
};

/// The id of the process of each heap dump, by the index of its event. Leaves out the dumps whose process is
/// unknown.
[[nodiscard]] std::map<std::uint64_t, std::int64_t> decide_processes(std::span<const DumpEvent> dumps,
                                                                     const ProcessEvidence& evidence);

}  // namespace heapcheck::chrome
