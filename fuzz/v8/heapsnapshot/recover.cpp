// Property: recovering any bytes yields a snapshot without errors and warnings, unless nothing is written;
// and recovering that snapshot again changes nothing.
#include "recover/v8/heapsnapshot/recover.hpp"

#include "fuzz/support/recovery.hpp"

using namespace heapcheck;
using namespace heapcheck::recovery::v8::heapsnapshot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto done = fuzz::require_recovery<Recovery>({data, size}, Format::v8_heapsnapshot, recover);
  fuzz::require(!done || done->report.count(Severity::warning) == 0,
                "the recovered snapshot has no warnings");
  fuzz::require(!done || done->second.uncounted_functions == 0, "its header counts all functions");
  return 0;
}
