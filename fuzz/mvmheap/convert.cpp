// Property: a valid dump with known names, written in any format is valid again, means the same, and comes
// out the same twice; or the writer says why it cannot.
#include "formats/mvmheap/convert.hpp"

#include <algorithm>
#include <vector>

#include "formats/registry_mvmheap.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Whether it is a valid dump of MoarVM; the id of a rule that it must not break either.
bool is_valid(core::ByteSpan bytes, const core::Limits& limits, std::string_view forbidden = {}) {
  const auto report = validate::check_source(std::make_unique<core::MemorySource>(bytes), {.limits = limits});
  const auto breaks = [&](const core::Finding& finding) { return finding.rule->id == forbidden; };
  return report.verdict == validate::Verdict::valid && formats::is_mvmheap(*report.format) &&
         std::ranges::none_of(report.findings, breaks);
}

/// Opens the dump for one reading.
template <class Use>
auto with_reader(core::ByteSpan bytes, Use&& use) {
  core::MemorySource source(bytes);
  const core::Limits limits;
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, limits, sink);
  require(dump.has_value(), "a valid dump can be opened");
  return use(*dump->reader);
}

std::vector<mvmheap::Snapshot> read_snapshots(core::ByteSpan bytes) {
  return with_reader(bytes, [](mvmheap::DumpReader& reader) {
    std::vector<mvmheap::Snapshot> snapshots;
    while (const mvmheap::Part* part = reader.read_part()) {
      if (part->has_snapshot) snapshots.push_back(part->snapshot);
    }
    return snapshots;
  });
}

/// Empty where the target cannot hold the dump.
Bytes convert(core::ByteSpan bytes, const mvmheap::Survey& survey, formats::Target target) {
  core::MemorySink out;
  const auto writer = formats::make_writer(target, out, survey.file_meta, {1});
  const bool done = with_reader(bytes, [&](mvmheap::DumpReader& reader) {
    return mvmheap::convert(reader, survey, formats::capacity_of(target), {}, *writer).has_value();
  });
  return done ? out.bytes() : Bytes{};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (!is_valid(bytes, fuzz::make_limits(), "mvm1.strings.undecidable")) return 0;
  const mvmheap::Survey survey = with_reader(bytes, mvmheap::make_survey);
  for (const auto name : formats::target_names()) {
    const formats::Target target = *formats::find_target(name);
    const Bytes written = convert(bytes, survey, target);
    if (written.empty()) continue;
    require(is_valid(written, {}), "what is written is valid");
    require(written == convert(bytes, survey, target), "the same dump gives the same bytes");
    require(std::ranges::equal(read_snapshots(written), read_snapshots(bytes), mvmheap::is_same_graph),
            "every snapshot stays as it is");
    const auto losses = mvmheap::find_losses(survey, formats::capacity_of(target));
    if (std::ranges::find(losses, "names", &core::Loss::what) == losses.end())
      require(with_reader(written, mvmheap::make_survey).tables == survey.tables, "so do the tables");
  }
  return 0;
}
