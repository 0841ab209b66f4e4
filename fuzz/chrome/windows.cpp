// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a trace gives
// the same findings and the same dumps as read at once. The last two bytes say how large the pieces are; they
// are read as part of the trace all the same.
#include "fuzz/support/windows.hpp"
#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/read_trace.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

struct Outcome {
  chrome::TraceContainer container;
  std::string dumps;  ///< as text
};

std::string describe(const formats::Trace& trace) {
  core::MemorySink sink;
  require(chrome::legacy::write_events(trace.legacy, sink).has_value(), "memory takes what is written");
  std::string text(core::as_text(sink.bytes()));
  for (const auto& dump : trace.heaps_v2.dumps) chrome::heaps_v2::append_event(trace.heaps_v2, dump, text);
  return text;
}

Outcome read_dumps(core::Window& window, core::FindingSink& sink) {
  const formats::Trace trace = formats::read_trace(window, fuzz::make_limits(), sink);
  return {trace.container, describe(trace)};
}

void require_same(const Outcome& whole, const Outcome& other) {
  require(whole.container == other.container, "so is what is around the events");
  require(whole.dumps == other.dumps, "so are the dumps");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_windows_agree({data, size}, fuzz::SmallWindows::equal, read_dumps, require_same);
  return 0;
}
