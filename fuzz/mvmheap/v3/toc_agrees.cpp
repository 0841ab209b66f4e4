// Property: where a file has no errors, the way through its tables of contents gives what the way
// from front to back gives. Where it has some, the former does not crash.
#include "formats/mvmheap/v3/reader.hpp"
#include "formats/mvmheap/v3/toc_reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v3;
using fuzz::require;

namespace {

struct Outcome {
  std::optional<mvmheap::FileMeta> meta;
  std::vector<BlockPart> parts;
  mvmheap::Tables tables;
  bool complete = false;
  std::vector<Finding> findings;
};

template <class AnyReader>
Outcome read(AnyReader& reader, validation::Collector& collector) {
  Outcome outcome;
  for (BlockPart part; reader.read_part(part);) {
    if (outcome.parts.size() < 20) outcome.parts.push_back(part);
  }
  outcome.meta = reader.file_meta();
  outcome.tables = reader.tables();
  outcome.complete = reader.is_complete();
  outcome.findings = collector.take_findings();
  return outcome;
}

bool is_valid(core::ByteSpan bytes) {
  const auto report =
      validation::check_source(std::make_unique<core::MemorySource>(bytes), {.limits = fuzz::make_limits()});
  return report.verdict == Verdict::valid;
}

bool same_part(const BlockPart& a, const BlockPart& b) {
  return a.index == b.index && a.snapshot == b.snapshot && a.meta == b.meta && a.highscores == b.highscores &&
         a.before == b.before && a.after == b.after && a.has_snapshot == b.has_snapshot;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  core::MemorySource source(bytes);
  core::Window window(source);
  if (!is_v3(window.peek(magic.size()))) return 0;
  validation::Collector from_toc(100);
  TocReader toc_reader(source, fuzz::make_limits(), from_toc);
  const Outcome by_toc = read(toc_reader, from_toc);
  fuzz::require_places_inside(by_toc.findings, size);
  if (!is_valid(bytes)) return 0;
  validation::Collector from_front(100);
  FrontReader reader(window, fuzz::make_limits(), from_front);
  const Outcome by_front = read(reader, from_front);
  require(by_toc.complete, "the tables of contents of a valid file can be followed");
  require(by_toc.meta == by_front.meta && by_toc.tables == by_front.tables, "metadata and tables agree");
  require(std::ranges::equal(by_toc.parts, by_front.parts, same_part), "so do the parts");
  return 0;
}
