// Property: reports on V8 sampling heap profiles meet the requirements in fuzz/support/report.hpp.
#include <algorithm>

#include "formats/detect.hpp"
#include "fuzz/support/report.hpp"

using namespace heapcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const auto detection = formats::detect(bytes.first(std::min(size, formats::detection_bytes)));
  if (detection.format == Format::v8_heapprofile) fuzz::require_good_report(bytes);
  return 0;
}
