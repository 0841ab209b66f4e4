// Property: the result does not depend on how the bytes arrive. A trace that is read in pieces, or through a
// larger window, has the same findings and dumps as one that is read at once. The last two bytes determine
// the size of the pieces, but are also read as part of the trace.
#include "fuzz/support/windows.hpp"

#include <cstdint>
#include <map>
#include <string>

#include "formats/chrome/heaps_v2/writer.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/read_trace.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

struct Outcome {
  chrome::TraceContainer container;
  std::string dumps;                                     ///< as text
  std::map<std::uint64_t, std::int64_t> processes = {};  ///< of the dumps
};

std::string describe(const formats::Trace& trace) {
  core::MemorySink sink;
  require(chrome::legacy::write_events(trace.legacy, sink).has_value(), "writing to memory succeeds");
  std::string text(core::as_text(sink.bytes()));
  for (const auto& dump : trace.heaps_v2.dumps) chrome::heaps_v2::append_event(trace.heaps_v2, dump, text);
  return text;
}

Outcome read_dumps(core::Window& window, core::FindingSink& sink) {
  const formats::Trace trace = formats::read_trace(window, fuzz::make_limits(), sink);
  return {trace.container, describe(trace), trace.dump_processes};
}

void require_same(const Outcome& whole, const Outcome& other) {
  require(whole.container == other.container, "the container is the same");
  require(whole.dumps == other.dumps, "the dumps are the same");
  require(whole.processes == other.processes, "the processes of the dumps are the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::require_windows_agree({data, size}, fuzz::SmallWindows::equal, read_dumps, require_same);
  return 0;
}
