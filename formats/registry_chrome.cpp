#include "formats/registry_chrome.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/chrome/heaps_v2/reader.hpp"
#include "formats/chrome/legacy/reader.hpp"
#include "formats/chrome/process_names.hpp"
#include "formats/chrome/trace_config.hpp"
#include "formats/chrome/walker.hpp"

namespace heapcheck::formats {

Format Trace::format() const {
  const bool has_legacy = std::ranges::any_of(
      legacy.processes, [](const chrome::legacy::Process& process) { return !process.dumps.empty(); });
  if (has_legacy == !heaps_v2.dumps.empty()) return Format::chrome_trace;
  return has_legacy ? Format::chrome_legacy : Format::heaps_v2;
}

Trace read_trace(core::Window& window, const core::Limits& limits, core::FindingSink& sink) {
  chrome::legacy::Reader legacy(limits);
  chrome::heaps_v2::Reader heaps_v2(limits);
  chrome::ProcessNames names;
  const std::array<chrome::PayloadReader*, 3> readers{&legacy, &heaps_v2, &names};
  chrome::Walker walker(window, limits, readers, sink);
  while (walker.read_event()) {
  }
  legacy.model().threshold = chrome::find_breakdown_threshold(walker.container().config, limits);
  return {walker.container(), std::move(legacy.model()), heaps_v2.take_model(), names.names()};
}

}  // namespace heapcheck::formats
