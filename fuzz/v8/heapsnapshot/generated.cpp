// Property: a snapshot generated from the bytes of the input is written as a file without findings, reading
// the file back produces an equal snapshot, and writing that snapshot produces the same bytes.
#include "formats/v8/heapsnapshot/reader.hpp"
#include "formats/v8/heapsnapshot/writer.hpp"
#include "fuzz/support/made_models.hpp"
#include "fuzz/support/sound.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](core::Window& window, core::FindingSink& sink) {
    return read_snapshot(window, {}, sink);
  };
  fuzz::require_sound_model(fuzz::make_heapsnapshot({data, size}), Format::v8_heapsnapshot, write_snapshot,
                            read);
  return 0;
}
