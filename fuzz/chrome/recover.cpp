// Property: recovering any trace yields a trace without errors, unless no event can be kept or a limit is
// reached. The recovered trace has the events and heap dumps that the recovery reports, and recovering it
// again does not change anything. Nothing is lost from a sound trace.
#include "recover/chrome/recover.hpp"

#include <optional>
#include <set>

#include "formats/read_trace.hpp"
#include "fuzz/support/check.hpp"

using namespace heapcheck;
using fuzz::require;
using recovery::chrome::Recovery;

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Recovered {
  Recovery recovery;
  Bytes bytes;
};

/// Empty if a limit was reached, which is the only reason why recovery may fail.
std::optional<Recovered> recover(core::ByteSpan bytes, const Limits& limits) {
  core::MemorySource source(bytes);
  core::MemorySink out;
  auto recovery = recovery::chrome::recover(source, limits, out);
  require(recovery || out.bytes().empty(), "nothing is written if the recovery fails");
  require(recovery || recovery.error().kind == ErrorKind::limit, "recovering a trace fails only at a limit");
  if (!recovery) return std::nullopt;
  return Recovered{std::move(*recovery), out.bytes()};
}

formats::Trace read(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  return formats::read_trace(window, {}, sink);
}

/// The number of events with heap dumps.
std::size_t count_dumps(const formats::Trace& trace) {
  std::set<std::uint64_t> events;
  for (const auto& dump : trace.heaps_v2.dumps) events.insert(dump.head.index);
  for (const auto& process : trace.legacy.processes) {
    for (const auto& dump : process.dumps) events.insert(dump.head.index);
  }
  return events.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (bytes.size() > fuzz::long_input) return 0;
  const Report report = fuzz::check(bytes, fuzz::make_limits());
  if (!report.format || family_of(*report.format) != Family::trace) return 0;
  const auto first = recover(bytes, fuzz::make_limits());
  if (!first || first->recovery.kept_events == 0) return 0;
  require(fuzz::is_valid(first->bytes, {}), "a recovered trace is valid");
  const formats::Trace trace = read(first->bytes);
  require(trace.container.event_count == first->recovery.kept_events, "the kept events are counted");
  require(count_dumps(trace) == first->recovery.kept_dumps, "the kept heap dumps are counted");
  const auto second = recover(first->bytes, {});
  require(second && !second->recovery.has_lost(), "recovering a recovered trace loses nothing");
  require(second->bytes == first->bytes, "recovering a recovered trace produces the same bytes");
  const bool is_sound = report.verdict == Verdict::valid;
  require(!is_sound || !first->recovery.has_lost(), "nothing of a sound trace is lost");
  return 0;
}
