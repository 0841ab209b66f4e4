// Property: a valid dump with known names, written in any format, is a valid dump with the same meaning, and
// writing it twice produces the same bytes; or the writer explains why it cannot write the dump.
#include <algorithm>

#include "fuzz/mvmheap/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::fuzz;

namespace {

bool is_valid(const Report& report) {
  return report.verdict == Verdict::valid && (family_of(*report.format) == Family::mvmheap);
}

bool has_unknown_names(const Report& report) {
  return std::ranges::any_of(
      report.findings, [](const Finding& finding) { return finding.rule->id == "mvm1.strings.undecidable"; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const auto report = check(bytes, make_limits());
  if (!is_valid(report) || has_unknown_names(report)) return 0;
  const conversion::mvmheap::Survey survey = with_reader(bytes, conversion::mvmheap::make_survey);
  for (const Target target : targets_of(Family::mvmheap)) {
    const Bytes written = convert(bytes, survey, target);
    if (written.empty()) continue;
    require(is_valid(check(written, {})), "a written dump is valid");
    require(written == convert(bytes, survey, target), "writing the same dump twice produces the same bytes");
    require(std::ranges::equal(with_reader(written, read_snapshots), with_reader(bytes, read_snapshots),
                               mvmheap::is_same_graph),
            "snapshots do not change");
    if (!loses(survey, target, "names"))
      require(with_reader(written, conversion::mvmheap::make_survey).tables == survey.tables,
              "tables do not change");
  }
  return 0;
}
