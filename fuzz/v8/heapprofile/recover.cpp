// Property: what is recovered of any bytes is a valid profile, or nothing is written; and recovering it
// again changes nothing.
#include "recover/v8/heapprofile/recover.hpp"

#include "fuzz/support/inputs.hpp"
#include "validate/validate.hpp"

using namespace heapcheck;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size});
  core::MemorySink out;
  const auto recovery = recovery::v8::heapprofile::recover(source, fuzz::make_limits(), out);
  if (!recovery) {
    require(out.bytes().empty(), "nothing is written of what cannot be recovered");
    return 0;
  }
  require(out.bytes().empty() == (recovery->kept_nodes == 0), "what is kept is written");
  require(recovery->repaired_nodes < recovery->kept_nodes || recovery->kept_nodes == 0,
          "a node that is repaired leads to a whole one");
  if (out.bytes().empty()) return 0;
  const auto report = validation::check_source(std::make_unique<core::MemorySource>(out.bytes()), {});
  require(report.verdict == Verdict::valid, "what is recovered is valid");
  require(report.format == Format::v8_heapprofile, "and a profile");

  core::MemorySource again(out.bytes());
  core::MemorySink same;
  const auto second = recovery::v8::heapprofile::recover(again, {}, same);
  require(second && !second->has_lost(), "nothing of it needs recovering");
  require(same.bytes() == out.bytes(), "and it is written as it is");
  return 0;
}
