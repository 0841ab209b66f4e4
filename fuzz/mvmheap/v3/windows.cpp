// Property: how the bytes arrive does not matter. Read in pieces, or through a larger window, a dump
// gives the same findings, blocks and tables as read at once. The last two bytes say how large the
// pieces are; they are read as part of the dump all the same.
#include "formats/core/codec.hpp"
#include "formats/mvmheap/v3/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
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
  if (!is_v3(window.peek(magic.size()))) return outcome;
  for (Part part; reader.read_part(part);) {
    if (outcome.parts.size() < 20) outcome.parts.push_back(part);
  }
  outcome.findings = collector.take_findings();
  outcome.container = reader.container();
  outcome.tables = reader.tables();
  return outcome;
}

bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.content == b.location.content &&
         a.location.path == b.location.path && a.message == b.message;
}

bool same_block(const Block& a, const Block& b) {
  return a.kind == b.kind && a.span == b.span && a.content == b.content && a.part == b.part &&
         a.entry_bytes == b.entry_bytes && a.count == b.count && a.whole == b.whole;
}

bool same_toc(const Toc& a, const Toc& b) {
  return a.block == b.block && a.outer == b.outer && a.own_start == b.own_start && a.entries == b.entries;
}

bool same_part(const Part& a, const Part& b) {
  return a.snapshot == b.snapshot && a.meta == b.meta && a.highscores == b.highscores &&
         a.states == b.states && a.after == b.after && a.order_known == b.order_known;
}

void require_same(const Outcome& one, const Outcome& other) {
  require(std::ranges::equal(one.findings, other.findings, same_finding), "the findings are the same");
  require(std::ranges::equal(one.container.blocks, other.container.blocks, same_block), "so are the blocks");
  require(std::ranges::equal(one.container.tocs, other.container.tocs, same_toc), "and their contents");
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
