// Property: where a file has no errors, the way by its index gives what the way from front to back gives.
// Where it has some, the former does not crash.
#include "formats/mvmheap/v2/index_reader.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

struct Outcome {
  std::vector<SectionPart> parts;
  mvmheap::Tables tables;
  SectionContainer container;
  std::vector<Finding> findings;
};

template <class AnyReader>
Outcome read(AnyReader& reader, validation::Collector& collector) {
  Outcome outcome;
  for (SectionPart part; reader.read_part(part);) {
    if (outcome.parts.size() < 20) outcome.parts.push_back(part);
  }
  outcome.tables = reader.tables();
  outcome.container = reader.container();
  outcome.findings = collector.take_findings();
  return outcome;
}

bool is_valid(core::ByteSpan bytes) {
  const auto report =
      validation::check_source(std::make_unique<core::MemorySource>(bytes), {.limits = fuzz::make_limits()});
  return report.verdict == Verdict::valid;
}

bool same_part(const SectionPart& a, const SectionPart& b) {
  return a.index == b.index && a.snapshot == b.snapshot && a.before == b.before && a.after == b.after &&
         a.has_snapshot == b.has_snapshot && a.has_whole_graph == b.has_whole_graph && a.states == b.states;
}

bool same_section(const Section& a, const Section& b) {
  return a.kind == b.kind && a.span == b.span && a.part == b.part && a.is_last == b.is_last &&
         a.count == b.count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  core::MemorySource source(bytes);
  core::Window window(source);
  if (!is_v2(window.peek(magic.size()))) return 0;
  validation::Collector from_index(100);
  IndexReader index_reader(source, fuzz::make_limits(), from_index);
  const Outcome by_index = read(index_reader, from_index);
  fuzz::require_places_inside(by_index.findings, size);
  if (!is_valid(bytes)) return 0;
  validation::Collector from_front(100);
  FrontReader reader(window, fuzz::make_limits(), from_front);
  const Outcome by_front = read(reader, from_front);
  require(index_reader.is_complete(), "the index of a valid file can be followed");
  require(by_index.tables == by_front.tables, "tables agree");
  require(std::ranges::equal(by_index.parts, by_front.parts, same_part), "so do the parts");
  require(std::ranges::equal(by_index.container.sections, by_front.container.sections, same_section),
          "and sections");
  require(by_index.container.layout == by_front.container.layout, "and the layout");
  return 0;
}
