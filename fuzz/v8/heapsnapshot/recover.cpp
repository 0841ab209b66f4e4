// Property: what is recovered of any bytes is a snapshot without errors and warnings, or nothing is written;
// and recovering it again changes nothing.
#include "recover/v8/heapsnapshot/recover.hpp"

#include "fuzz/support/recovery.hpp"

using namespace heapcheck;
using namespace heapcheck::recovery::v8::heapsnapshot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto done = fuzz::require_recovery<Recovery>({data, size}, Format::v8_heapsnapshot, recover);
  fuzz::require(!done || done->report.count(Severity::warning) == 0, "nothing warns of what is recovered");
  fuzz::require(!done || done->second.uncounted_functions == 0, "nothing of it needs counting");
  return 0;
}
