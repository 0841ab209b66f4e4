// Property: recovering any bytes yields a valid profile, unless nothing is written, and recovering that
// profile again does not change anything.
#include "recover/v8/heapprofile/recover.hpp"

#include "fuzz/support/recovery.hpp"

using namespace heapcheck;
using namespace heapcheck::recovery::v8::heapprofile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto done = fuzz::require_recovery<Recovery>({data, size}, Format::v8_heapprofile, recover);
  fuzz::require(!done || done->first.repaired_nodes < done->first.kept_nodes,
                "a repaired node leads to an intact one");
  return 0;
}
