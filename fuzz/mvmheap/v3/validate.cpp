// Property: reports on version 3 dumps have the properties listed in fuzz/support/report.hpp.
#include "fuzz/support/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heapcheck::fuzz::require_good_report({data, size});
  return 0;
}
