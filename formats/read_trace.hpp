// Reads a Chrome trace. This is the one place where the walker of events meets the readers of both heap dump
// formats. The trace owns what was read. Memory: the columns of all dumps.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/chrome/container.hpp"
#include "formats/chrome/heaps_v2/model.hpp"
#include "formats/chrome/legacy/model.hpp"
#include "formats/core/finding_sink.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "heapcheck/limits.hpp"

namespace heapcheck::formats {

struct Trace {
  chrome::TraceContainer container;
  chrome::legacy::Model legacy;
  chrome::heaps_v2::Model heaps_v2;
  std::map<std::int64_t, std::string> process_names;

  /// The format of its heap dumps; Format::chrome_trace if there are none, or dumps of both formats.
  [[nodiscard]] Format format() const;
  [[nodiscard]] bool has_dumps() const;
};

/// `window` is at the first byte of the trace.
Trace read_trace(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
