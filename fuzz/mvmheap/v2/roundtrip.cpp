// Property: a file without errors and warnings is written back, in both layouts, as a file without findings;
// reading that file produces an equal model, and writing it again produces the same bytes.
#include "formats/mvmheap/v2/reader.hpp"
#include "formats/mvmheap/v2/writer.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v2;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

using Model = fuzz::DumpOf<FrontReader>;

constexpr auto same_content = fuzz::same<&SectionPart::snapshot, &SectionPart::has_snapshot>;

Bytes write(const Model& model, bool increments) {
  core::MemorySink sink;
  Writer writer(sink, {increments});
  for (const SectionPart& part : model.parts) {
    require(writer.write_part(part, model.tables).has_value(), "a part that was read can be written");
  }
  require(writer.finish(model.tables).has_value(), "a file can be finished");
  return sink.bytes();
}

void check_layout(const Model& model, bool increments) {
  const Bytes written = write(model, increments);
  const auto report = fuzz::check(written, fuzz::make_limits());
  require(report.verdict == Verdict::valid && report.findings.empty(), "a written file has no findings");
  const Model again = fuzz::read_bytes<FrontReader>(written);
  require(again.tables == model.tables, "tables do not change");
  require(std::ranges::equal(again.parts, model.parts, same_content), "parts do not change");
  require(written == write(again, increments), "writing the same dump twice produces the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (!is_v2(bytes)) return 0;  // compressed files are left to other targets
  const auto report = fuzz::check(bytes, fuzz::make_limits());
  const bool is_clean = report.verdict == Verdict::valid && report.count(Severity::warning) == 0;
  if (!is_clean) return 0;
  const Model model = fuzz::read_bytes<FrontReader>(bytes);
  check_layout(model, false);
  check_layout(model, true);
  return 0;
}
