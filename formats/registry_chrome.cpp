#include "formats/registry_chrome.hpp"

#include <array>

#include "formats/chrome/process_names.hpp"
#include "formats/chrome/walker.hpp"

namespace heapcheck::formats {

Format Trace::format() const { return Format::chrome_trace; }

Trace read_trace(core::Window& window, const core::Limits& limits, core::FindingSink& sink) {
  chrome::ProcessNames names;
  const std::array<chrome::PayloadReader*, 1> readers{&names};
  chrome::Walker walker(window, limits, readers, sink);
  while (walker.read_event()) {
  }
  return {walker.container(), names.names()};
}

}  // namespace heapcheck::formats
