// Reads the content of a file of a known format from memory, without detecting the format.
#pragma once

#include "formats/core/source.hpp"
#include "formats/model.hpp"

namespace heapcheck::tests {

inline formats::Content read_now(Format format, core::MemorySource& source, const Limits& limits = {}) {
  core::RangeSource bytes(source, 0);
  core::Window window(bytes);
  core::SilentSink sink;
  return formats::read_content(format, window, limits, sink);
}

}  // namespace heapcheck::tests
