// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a dump gives
// the same findings, sections and tables as read at once. The last two bytes say how large the pieces are;
// they are read as part of the dump all the same.
#include "formats/core/codec.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

struct Outcome {
  std::vector<core::Finding> findings;
  std::vector<Part> parts;
  Container container;
  mvmheap::Tables tables;
};

Outcome read(core::ByteSpan bytes, std::size_t chunk, std::size_t capacity) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source, capacity);
  validate::Collector collector(1000);
  Reader reader(window, fuzz::make_limits(), collector);
  Outcome outcome;
  if (!is_v2(window.peek(magic.size()))) return outcome;
  for (Part part; reader.read_part(part);) {
    if (outcome.parts.size() < 20) outcome.parts.push_back(part);
  }
  outcome.findings = collector.take_findings();
  outcome.container = reader.container();
  outcome.tables = reader.tables();
  return outcome;
}

bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.path == b.location.path &&
         a.message == b.message;
}

bool same_section(const Section& a, const Section& b) {
  return a.kind == b.kind && a.span == b.span && a.part == b.part && a.is_last == b.is_last &&
         a.count == b.count && a.wide == b.wide && a.whole == b.whole && a.certain == b.certain;
}

bool same_part(const Part& a, const Part& b) {
  return a.snapshot == b.snapshot && a.has_whole_graph == b.has_whole_graph && a.states == b.states &&
         a.after == b.after && a.strings_known == b.strings_known && a.places.offsets == b.places.offsets;
}

void require_same(const Outcome& one, const Outcome& other) {
  require(std::ranges::equal(one.findings, other.findings, same_finding), "the findings are the same");
  require(std::ranges::equal(one.container.sections, other.container.sections, same_section),
          "so are the sections");
  require(one.container.layout == other.container.layout, "and the layout");
  require(std::ranges::equal(one.parts, other.parts, same_part), "so are the parts");
  require(one.tables == other.tables, "so are the shared tables");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  const std::size_t chunk = 1 + core::decode_le<std::uint16_t>(data + size - 2) % 1000;
  const Outcome whole = read(bytes, SIZE_MAX, core::Window::default_capacity);
  require_same(read(bytes, chunk, core::Window::default_capacity), whole);
  require_same(read(bytes, SIZE_MAX, 4 * core::Window::default_capacity), whole);
  return 0;
}
