// What the targets that write traces share: what a trace means.
#pragma once

#include "formats/core/source.hpp"
#include "formats/registry_trace_writer.hpp"

namespace heapcheck::fuzz {

inline chrome::Profile read_profile(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  return formats::make_profile(formats::read_trace(window, {}, sink)).profile;
}

}  // namespace heapcheck::fuzz
