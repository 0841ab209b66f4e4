// Property: a profile generated from the bytes of the input is written as a file without findings, reading
// the file back produces an equal profile, and writing that profile produces the same bytes.
#include "formats/v8/heapprofile/reader.hpp"
#include "formats/v8/heapprofile/writer.hpp"
#include "fuzz/support/made_models.hpp"
#include "fuzz/support/sound.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    return read_profile(window, {}, sink).profile;
  };
  fuzz::require_sound_model(fuzz::make_heapprofile({data, size}), Format::v8_heapprofile, write_profile,
                            read);
  return 0;
}
