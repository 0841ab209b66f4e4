// Property: a valid trace remains valid when it is written in either format, on its own or in place.
// Converting it to the legacy format and back produces the same bytes as converting it directly.
#include <string_view>

#include "convert/chrome/trace_writer.hpp"
#include "fuzz/chrome/read_profile.hpp"
#include "fuzz/support/check.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;

bool is_valid(core::ByteSpan bytes) { return fuzz::is_valid(bytes, {}); }

/// Writes the dumps in the target format. The result is empty if that format cannot represent them.
Bytes convert(core::ByteSpan bytes, Format target) {
  const auto writer = conversion::chrome::make_trace_writer(target, fuzz::read_profile(bytes), {}, {});
  if (!writer) return {};
  core::MemorySink out;
  require(conversion::chrome::write_trace(**writer, out).has_value(), "writing to memory succeeds");
  core::MemorySource source(bytes);
  core::MemorySink kept;
  require(conversion::chrome::keep_trace(source, {}, (*writer)->make_replacement(), kept).has_value(),
          "a trace can be read a second time");
  require(is_valid(kept.bytes()), "a trace with its dumps replaced is valid");
  return out.bytes();
}

/// Whether the trace has names with a special meaning in the legacy format.
bool has_special_names(core::ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes);
  return text.find("<self>") != std::string_view::npos || text.find("<other>") != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (bytes.size() > fuzz::long_input) return 0;
  const Report report = fuzz::check(bytes, fuzz::make_limits());
  const bool has_dumps = report.format == Format::chrome_legacy || report.format == Format::heaps_v2;
  if (report.verdict != Verdict::valid || !has_dumps) return 0;
  const Bytes direct = convert(bytes, Format::heaps_v2);
  require(is_valid(direct), "a trace written as heaps_v2 is valid");
  const Bytes legacy = convert(direct, Format::chrome_legacy);
  if (legacy.empty()) return 0;
  require(is_valid(legacy), "a trace written as legacy dumps is valid");
  const Bytes back = convert(legacy, Format::heaps_v2);
  require(has_special_names(direct) || back == direct, "converting back produces the same bytes");
  return 0;
}
