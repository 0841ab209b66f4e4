// Property: what is recovered of any bytes is a snapshot without errors and warnings, or nothing is written;
// and recovering it again changes nothing.
#include "validate/v8/heapsnapshot/recover.hpp"

#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using fuzz::require;
using validate::v8::heapsnapshot::Recovery;

namespace {

bool is_unchanged(const Recovery& recovery) {
  return recovery.dropped_nodes == 0 && recovery.dropped_edges == 0 && recovery.dropped_rows == 0 &&
         recovery.added_sections == 0 && recovery.mended_nodes == 0 && recovery.uncounted_functions == 0 &&
         recovery.lost_names == 0 && recovery.lost_members == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::MemorySink out;
  const auto recovery = validate::v8::heapsnapshot::recover(source, fuzz::make_limits(), out);
  if (!recovery) return 0;
  require(out.bytes().empty() == (recovery->kept_nodes == 0), "what is kept is written");
  if (out.bytes().empty()) return 0;
  const auto report = validate::check_source(std::make_unique<core::MemorySource>(out.bytes()), {});
  require(report.format == formats::Format::v8_heapsnapshot, "what is recovered is a snapshot");
  require(report.verdict == validate::Verdict::valid, "it is valid");
  require(report.count(core::Severity::warning) == 0, "and nothing warns of it");

  core::MemorySource again(out.bytes());
  core::MemorySink same;
  const auto second = validate::v8::heapsnapshot::recover(again, {}, same);
  require(second && is_unchanged(*second), "nothing of it needs recovering");
  require(same.bytes() == out.bytes(), "and it is written as it is");
  return 0;
}
