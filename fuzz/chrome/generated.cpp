// Property: a profile generated from the input's bytes is written, in either format, as a trace without
// findings. The trace has the same meaning unless the writer lists losses, and writing it again produces the
// same bytes.
#include "convert/chrome/trace_writer.hpp"
#include "fuzz/chrome/meaning.hpp"
#include "fuzz/chrome/read_profile.hpp"
#include "fuzz/support/made_models.hpp"
#include "fuzz/support/sound.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

using Bytes = std::vector<std::uint8_t>;
/// The bytes that were written, and whether nothing was lost.
std::pair<Bytes, bool> write(const conversion::chrome::Profile& profile, Format format) {
  const auto writer = conversion::chrome::make_trace_writer(format, profile, {}, {});
  require(writer.has_value(), "either format can hold the profile");
  core::MemorySink out;
  require(conversion::chrome::write_trace(**writer, out).has_value(), "writing to memory succeeds");
  return {out.bytes(), (*writer)->losses().empty()};
}

void check_format(const conversion::chrome::Profile& profile, Format format) {
  const auto [bytes, is_lossless] = write(profile, format);
  fuzz::require_sound(bytes, format);
  const conversion::chrome::Profile again = fuzz::read_profile(bytes);
  require(is_lossless || format == Format::chrome_legacy, "heaps_v2 can hold all of the profile");
  require(!is_lossless || fuzz::list_values(again) == fuzz::list_values(profile),
          "the trace has the meaning of the profile");
  require(fuzz::list_heads(again) == fuzz::list_heads(profile), "dumps keep their heads");
  require(write(again, format).first == bytes, "writing it again produces the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const conversion::chrome::Profile profile = fuzz::make_trace_profile({data, size});
  check_format(profile, Format::heaps_v2);
  check_format(profile, Format::chrome_legacy);
  return 0;
}
