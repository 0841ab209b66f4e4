// Reads a Chrome trace. No other code combines the event walker with the readers of both heap dump formats.
// The trace owns its data. Keeps the columns of all dumps in memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/chrome/container.hpp"
#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/chrome/other_dumps.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "heapcheck/types/limits.hpp"
#include "heapcheck/types/process.hpp"

namespace heapcheck::formats {

struct Trace {
  chrome::TraceContainer container;
  chrome::legacy::Model legacy;
  chrome::heaps_v2::Model heaps_v2;
  std::map<std::int64_t, std::string> process_names;
  bool lacks_memory = false;  ///< whether values are missing because of Limits::max_memory
  chrome::OtherDumps other_dumps;
  /// The ids of the processes that the heap dumps describe, by the index of the event. Leaves out the dumps
  /// whose process is unknown. spec: chrome/trace.md#processes
  std::map<std::uint64_t, std::int64_t> dump_processes;

  /// The process that the heap dump with this head describes.
  [[nodiscard]] DumpProcess find_process(const chrome::EventHead& head) const;
  /// The format of its heap dumps, or Format::chrome_trace if it has no heap dumps or has heap dumps in both
  /// formats.
  [[nodiscard]] Format format() const;
  [[nodiscard]] bool has_dumps() const;
  /// What a trace without heap dumps contains instead, such as `contains no heap dump, only 2 memory dumps
  /// without heaps, of process 4242`.
  [[nodiscard]] std::string describe_lack() const;
};

/// Reads the trace; `window` must be at its first byte.
Trace read_trace(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
