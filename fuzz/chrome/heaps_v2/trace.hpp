// Shared by the targets for heaps_v2: reads a whole trace, and writes its dumps as a trace.
#pragma once

#include <array>
#include <string>

#include "formats/chrome/heaps_v2/reader.hpp"
#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/walker.hpp"
#include "formats/core/source.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

namespace heapcheck::fuzz {

inline chrome::heaps_v2::Model read_heaps_v2(core::ByteSpan bytes, core::FindingSink& sink,
                                             std::size_t capacity = core::Window::default_capacity,
                                             const Limits& limits = make_limits()) {
  core::MemorySource source(bytes, capacity);
  core::Window window(source, capacity);
  chrome::heaps_v2::HeapsV2Reader reader(limits);
  const std::array<chrome::PayloadReader*, 1> readers{&reader};
  chrome::Walker walker(window, limits, readers, sink);
  while (walker.read_event()) {
  }
  return reader.take_model();
}

inline std::string write_heaps_v2(const chrome::heaps_v2::Model& model) {
  std::string text = "[";
  for (const chrome::heaps_v2::Dump& dump : model.dumps) {
    if (text.size() > 1) text += ',';
    chrome::heaps_v2::append_event(model, dump, text);
  }
  return text + "]";
}

}  // namespace heapcheck::fuzz
