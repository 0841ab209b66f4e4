// Property: how the bytes arrive does not matter. Read in pieces, or through a smaller window, a snapshot
// gives the same findings, columns and places as read at once. The last two bytes say how large the pieces
// are; they are read as part of the snapshot all the same.
#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/v8/heapsnapshot/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using fuzz::require;

namespace {

struct Outcome {
  Snapshot snapshot;
  std::vector<core::Finding> findings;
};

Outcome read(core::ByteSpan bytes, std::size_t chunk, std::size_t capacity) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source, capacity);
  validate::Collector collector(1000);
  Outcome outcome{read_snapshot(window, fuzz::make_limits(), collector), {}};
  outcome.findings = collector.take_findings();
  return outcome;
}

bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.path == b.location.path &&
         a.message == b.message;
}

bool same_table(const Table& a, const Table& b) {
  return a.span == b.span && a.marks == b.marks && a.value_count == b.value_count &&
         a.wrong_values == b.wrong_values && a.is_whole == b.is_whole;
}

bool same_places(const Snapshot& a, const Snapshot& b) {
  return a.header.span == b.header.span && a.schema.span == b.schema.span &&
         std::ranges::equal(a.tables, b.tables, same_table) && a.trace_tree.offsets == b.trace_tree.offsets &&
         a.trace_tree.span == b.trace_tree.span && a.strings.span == b.strings.span &&
         a.strings.is_whole == b.strings.is_whole && a.is_whole == b.is_whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  constexpr std::size_t least_capacity = 64;
  const std::size_t chunk = 1 + core::decode_le<std::uint16_t>(data + size - 2) % 1000;
  const Outcome whole = read(bytes, SIZE_MAX, core::Window::default_capacity);
  for (const Outcome& other : {read(bytes, chunk, core::Window::default_capacity),
                               read(bytes, SIZE_MAX, least_capacity), read(bytes, chunk, least_capacity)}) {
    require(std::ranges::equal(whole.findings, other.findings, same_finding), "the findings are the same");
    require(whole.snapshot == other.snapshot, "so is the snapshot");
    require(same_places(whole.snapshot, other.snapshot), "so are the places");
  }
  return 0;
}
