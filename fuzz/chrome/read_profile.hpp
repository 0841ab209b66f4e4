// Shared by the targets that write traces: reads a trace and determines its meaning.
#pragma once

#include "convert/chrome/trace_writer.hpp"
#include "formats/core/source.hpp"

namespace heapcheck::fuzz {

inline conversion::chrome::Profile read_profile(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  return conversion::chrome::make_profile(formats::read_trace(window, {}, sink)).profile;
}

}  // namespace heapcheck::fuzz
