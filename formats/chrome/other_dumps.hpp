// What a trace without heap dumps contains instead: memory dumps without heaps, and the events of Chrome's
// first heap profiler, whose format is not supported. Filled in from the heads of the events. Owns its sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "formats/chrome/container.hpp"
#include "formats/core/keyed_hash.hpp"

namespace heapcheck::chrome {

/// The phase and the name of the events of Chrome's first heap profiler. spec: chrome/trace.md#dumps
inline constexpr std::string_view tcmalloc_phase = "O";
inline constexpr std::string_view tcmalloc_name = "memory::Heap";

/// Dumps of one kind.
struct DumpTally {
  std::set<std::size_t> dumps;       ///< hashes of what identifies each of them
  std::set<std::int64_t> processes;  ///< the ids of their processes

  /// The largest number of dumps and of processes that are counted; a trace has a few hundred.
  static constexpr std::size_t most = 10'000;

  void add(std::size_t dump, const EventHead& head) {
    if (dumps.size() < most) dumps.insert(dump);
    if (head.pid && processes.size() < most) processes.insert(*head.pid);
  }
};

struct OtherDumps {
  DumpTally memory;    ///< memory dumps
  DumpTally tcmalloc;  ///< heap dumps by Chrome's first heap profiler

  void add(const EventHead& head) {
    const core::KeyedHash hash;
    if (head.phase == "v" && head.has_dumps)
      memory.add(hash(head.id.empty() ? head.timestamp : head.id), head);
    if (head.phase == tcmalloc_phase && head.name == tcmalloc_name) tcmalloc.add(head.index, head);
  }
};

/// What a trace without heap dumps contains, such as `contains no heap dump, only 2 memory dumps without
/// heaps, of process 4242`. `names` are the names of processes, by id.
[[nodiscard]] std::string describe(const OtherDumps& dumps, const std::map<std::int64_t, std::string>& names);

}  // namespace heapcheck::chrome
