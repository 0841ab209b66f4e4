// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a trace gives
// the same findings and the same dumps as read at once. The last two bytes say how large the pieces are; they
// are read as part of the trace all the same.
#include <algorithm>

#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/core/codec.hpp"
#include "formats/registry_chrome.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

struct Outcome {
  std::vector<core::Finding> findings;
  std::uint64_t events;
  std::string dumps;  ///< as text
};

std::string describe(const formats::Trace& trace) {
  core::MemorySink sink;
  require(chrome::legacy::write_events(trace.legacy, sink).has_value(), "memory takes what is written");
  std::string text(core::as_text(sink.bytes()));
  for (const auto& dump : trace.heaps_v2.dumps) chrome::heaps_v2::append_event(trace.heaps_v2, dump, text);
  return text;
}

Outcome read(core::ByteSpan bytes, std::size_t chunk, std::size_t capacity) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source, capacity);
  validate::Collector collector(1000);
  const formats::Trace trace = formats::read_trace(window, fuzz::make_limits(), collector);
  return {collector.take_findings(), trace.container.event_count, describe(trace)};
}

bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.content == b.location.content &&
         a.location.path == b.location.path && a.message == b.message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  constexpr std::size_t capacity = core::Window::default_capacity;
  const std::size_t chunk = 1 + core::decode_le<std::uint16_t>(data + size - 2) % 1000;
  const Outcome whole = read(bytes, SIZE_MAX, capacity);
  for (const Outcome& other :
       {read(bytes, chunk, capacity), read(bytes, SIZE_MAX, 4 * capacity), read(bytes, chunk, 64 + chunk)}) {
    require(std::ranges::equal(whole.findings, other.findings, same_finding), "the findings are the same");
    require(whole.events == other.events, "so is the number of events");
    require(whole.dumps == other.dumps, "so are the dumps");
  }
  return 0;
}
