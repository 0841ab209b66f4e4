// Property: a sound dump with any content can be written in every format, unless version 3 cannot represent a
// sum; the file has the same meaning and no findings other than those about its content, and reading and
// writing it again produces the same bytes. The input is not read as a dump, but determines the content of a
// generated dump.
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
          "the metadata of the file does not change");
  dump.rewind();
  require(before.metas == 0 || with_reader(written, read_metas) == read_metas(dump),
          "the metadata of snapshots does not change");
}

bool is_too_large(const Finding& finding) { return finding.rule->id == "mvm.collectable.size-sum"; }

/// Unused names that begin with a quote are indeed ambiguous in version 1. A generated dump may contradict
/// itself, so warnings are correct, and its sizes may add up to too large a number.
bool is_wanted(const Finding& finding) {
  return finding.rule->id == "mvm1.strings.undecidable" || finding.rule->severity == Severity::warning ||
         is_too_large(finding);
}

void check_target(MadeDump& dump, const conversion::mvmheap::Survey& before, Target target) {
  dump.rewind();
  const Bytes written = convert(dump, before, target);
  if (written.empty())  // only version 3 stores sums, which may be too large
    return require(conversion::mvmheap::layout_of(target).capacity.holds_metas,
                   "no version except version 3 refuses a dump");
  const auto report = check(written, {});
  const bool is_sound =
      report.verdict == Verdict::valid || std::ranges::any_of(report.findings, is_too_large);
  require(is_sound && std::ranges::all_of(report.findings, is_wanted),
          "a written dump has no findings but those on its content");
  const conversion::mvmheap::Survey after = with_reader(written, conversion::mvmheap::make_survey);
  dump.rewind();
  require(
      std::ranges::equal(with_reader(written, read_snapshots), read_snapshots(dump), mvmheap::is_same_graph),
      "snapshots do not change");
  if (!loses(before, target, "names")) require(after.tables == before.tables, "tables do not change");
  if (!loses(before, target, "table growth"))
    require(after.seen == before.seen, "the growth of tables does not change");
  if (conversion::mvmheap::layout_of(target).capacity.holds_metas) check_metas(dump, before, written);
  require(written == convert(written, after, target),
          "writing a dump that was read back produces the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MadeDump dump({data, size});
  const conversion::mvmheap::Survey survey = conversion::mvmheap::make_survey(dump);
  for (const Target target : targets_of(Family::mvmheap)) check_target(dump, survey, target);
  return 0;
}
