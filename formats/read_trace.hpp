// Reads a Chrome trace: the one place where the walker of events meets the readers of both formats of
// heap dumps. The trace owns what was read. Memory: the columns of all dumps.
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

  /// The heap format of its dumps; Format::chrome_trace where there is none, or both.
  [[nodiscard]] Format format() const;
  [[nodiscard]] bool has_dumps() const;
};

/// `window` stands at the trace's first byte.
Trace read_trace(core::Window& window, const Limits& limits, core::FindingSink& sink);

}  // namespace heapcheck::formats
