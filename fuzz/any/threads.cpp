// Property: for any bytes, the report is the same with one thread and with several.
#include <array>
#include <string>

#include "fuzz/support/check.hpp"
#include "heapcheck/validate.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

std::string make_report(core::ByteSpan bytes, unsigned threads) {
  Limits limits = fuzz::make_limits();
  limits.max_threads = threads;
  const Report report = fuzz::check(bytes, limits);
  return make_json(std::array{NamedReport{"input", &report}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  require(make_report({data, size}, 1) == make_report({data, size}, 3),
          "the report does not depend on the number of threads");
  return 0;
}
