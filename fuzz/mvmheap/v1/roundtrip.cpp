// Property: a file without findings is written back byte for byte, so reading the copy produces an equal
// model; a file without errors is written as a file without errors, unless it has a name that cannot be
// written.
#include <algorithm>

#include "formats/mvmheap/v1/names.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "formats/mvmheap/v1/writer.hpp"
#include "fuzz/support/mvmheap_dumps.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

using Model = fuzz::DumpOf<FrontReader>;

/// Returns no bytes if a name cannot be written.
std::vector<std::uint8_t> write(const Model& model) {
  const mvmheap::StringTable& strings = model.tables.strings;
  for (std::uint64_t i = 0; i < strings.count(); ++i) {
    if (!can_hold(strings[mvmheap::StringIndex{i}])) return {};
  }
  core::MemorySink sink;
  Writer writer(sink);
  for (const LinePart& part : model.parts) {
    if (!writer.write_part(part, model.tables)) return {};
  }
  return writer.finish(model.tables) ? sink.bytes() : std::vector<std::uint8_t>{};
}

constexpr auto same_part =
    fuzz::same<&LinePart::snapshot, &LinePart::before, &LinePart::after, &LinePart::has_snapshot>;

bool starts_at_zero(const LinePart& part) {
  const auto& [kind, index, size, unmanaged_size, starts, counts] = part.snapshot.collectables;
  for (std::uint64_t i = 0; i < starts.count(); ++i) {
    if (counts[i] == 0 && starts[i] != 0) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const auto report = fuzz::check(bytes, fuzz::make_limits());
  const bool is_v1 = report.format == Format::mvmheap_v1 &&
                     mvmheap::v1::is_v1(bytes.first(std::min(size, formats::detection_bytes)));
  if (!is_v1 || !report.well_formed || report.verdict == Verdict::undecided) return 0;
  const Model model = fuzz::read_bytes<FrontReader>(bytes);
  const auto written = write(model);
  const bool is_clean = report.findings.empty() && report.more.empty();
  require(!is_clean || std::ranges::equal(written, bytes),
          "a file without findings is written back unchanged");
  if (written.empty()) return 0;
  const Model again = fuzz::read_bytes<FrontReader>(written);
  require(again.tables == model.tables, "tables do not change");
  const bool is_normal = std::ranges::all_of(model.parts, starts_at_zero);
  require(!is_normal || std::ranges::equal(again.parts, model.parts, same_part), "parts do not change");
  require(fuzz::check(written, {}).well_formed, "a written file is well-formed");
  return 0;
}
