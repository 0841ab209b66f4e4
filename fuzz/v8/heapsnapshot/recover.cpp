// Property: what is recovered of any bytes is a snapshot without errors and warnings, or nothing is written;
// and recovering it again changes nothing.
#include "recover/v8/heapsnapshot/recover.hpp"

#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::MemorySink out;
  const auto recovery = recovery::v8::heapsnapshot::recover(source, fuzz::make_limits(), out);
  if (!recovery) {
    require(out.bytes().empty(), "nothing is written of what cannot be recovered");
    return 0;
  }
  require(out.bytes().empty() == (recovery->kept_nodes == 0), "what is kept is written");
  if (out.bytes().empty()) return 0;
  const auto report = validation::check_source(std::make_unique<core::MemorySource>(out.bytes()), {});
  require(report.format == Format::v8_heapsnapshot, "what is recovered is a snapshot");
  require(report.verdict == Verdict::valid, "it is valid");
  require(report.count(Severity::warning) == 0, "and nothing warns of it");

  core::MemorySource again(out.bytes());
  core::MemorySink same;
  const auto second = recovery::v8::heapsnapshot::recover(again, {}, same);
  require(second && !second->has_lost() && second->uncounted_functions == 0,
          "nothing of it needs recovering");
  require(same.bytes() == out.bytes(), "and it is written as it is");
  return 0;
}
