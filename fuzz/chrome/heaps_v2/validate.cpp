// Property: reports on traces meet the requirements in fuzz/support/report.hpp.
#include "fuzz/support/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Other formats have their own targets.
  if (size == 0 || (data[0] != '{' && data[0] != '[')) return 0;
  heapcheck::fuzz::require_good_report({data, size});
  return 0;
}
