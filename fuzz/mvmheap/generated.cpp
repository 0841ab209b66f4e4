// Property: a sound dump, whatever is in it, is written in every format as a file without findings that means
// the same and is written as the same bytes again; or version 3 cannot hold a sum. The input is not read
// but says what is in the dump.
#include "fuzz/mvmheap/made_dump.hpp"

#include <algorithm>

#include "fuzz/mvmheap/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::fuzz;

namespace {

std::vector<mvmheap::SnapshotMeta> read_metas(mvmheap::DumpReader& reader) {
  std::vector<mvmheap::SnapshotMeta> metas;
  while (const mvmheap::Part* part = reader.read_part()) {
    if (part->meta) metas.push_back(*part->meta);
  }
  return metas;
}

void check_metas(MadeDump& dump, const conversion::mvmheap::Survey& before, core::ByteSpan written) {
  require(with_reader(written, conversion::mvmheap::make_survey).file_meta == before.file_meta,
          "so does what is said of the file");
  dump.rewind();
  require(before.metas == 0 || with_reader(written, read_metas) == read_metas(dump), "and of each snapshot");
}

/// Names that begin with a quote and are referred to by nothing are as unclear in version 1 as the note says.
bool is_wanted(const Finding& finding) { return finding.rule->id == "mvm1.strings.undecidable"; }

void check_target(MadeDump& dump, const conversion::mvmheap::Survey& before, Target target) {
  dump.rewind();
  const Bytes written = convert(dump, before, target);
  if (written.empty())  // its metas have sums
    return require(conversion::mvmheap::layout_of(target).capacity.holds_metas, "only version 3 may refuse");
  const auto report = check(written, {});
  require(report.verdict == Verdict::valid && std::ranges::all_of(report.findings, is_wanted),
          "what is written has no findings");
  const conversion::mvmheap::Survey after = with_reader(written, conversion::mvmheap::make_survey);
  dump.rewind();
  require(
      std::ranges::equal(with_reader(written, read_snapshots), read_snapshots(dump), mvmheap::is_same_graph),
      "every snapshot stays as it is");
  if (!loses(before, target, "names")) require(after.tables == before.tables, "so do the tables");
  if (!loses(before, target, "table growth")) require(after.seen == before.seen, "and how they grew");
  if (conversion::mvmheap::layout_of(target).capacity.holds_metas) check_metas(dump, before, written);
  require(written == convert(written, after, target), "what was read is written as the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MadeDump dump({data, size});
  const conversion::mvmheap::Survey survey = conversion::mvmheap::make_survey(dump);
  for (const Target target : targets_of(Family::mvmheap)) check_target(dump, survey, target);
  return 0;
}
