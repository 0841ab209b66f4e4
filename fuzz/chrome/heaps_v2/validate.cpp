// Property: a report on a trace is in order, names rules and places that exist, its verdict follows from its
// findings, and the same input gives the same report.
#include "fuzz/support/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heapcheck::fuzz::require_good_report({data, size});
  return 0;
}
