// Property: dumps that are written are read back unchanged, whatever faults they have. Dumps that were
// converted to self values and back do not change when that is done again.
#include "convert/chrome/legacy/profile.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/core/checked.hpp"
#include "formats/read_trace.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome;
using fuzz::require;

namespace {

legacy::Model read(core::ByteSpan bytes) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink sink;
  return formats::read_trace(window, fuzz::make_limits(), sink).legacy;
}

std::string write(const legacy::Model& model) {
  core::MemorySink sink;
  require(legacy::write_events(model, sink).has_value(), "writing to memory succeeds");
  return "[" + std::string(core::as_text(sink.bytes())) + "]";
}

/// Returns whether no sum can reach the largest number.
bool has_small_values(const legacy::Model& model) {
  std::uint64_t sum = 0;
  for (const legacy::Process& process : model.processes) {
    for (const legacy::Dump& dump : process.dumps) {
      for (const legacy::Heap& heap : dump.heaps) {
        for (const std::uint64_t size : heap.entries.size) sum = core::saturating_add(sum, size);
        for (const std::uint64_t count : heap.entries.count) sum = core::saturating_add(sum, count);
      }
    }
  }
  return sum < std::uint64_t{1} << 62;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const legacy::Model model = read({data, size});
  const std::string written = write(model);
  require(write(read(core::as_bytes(written))) == written, "written dumps are read as they were written");
  const auto once = conversion::chrome::legacy::from_profile(
      conversion::chrome::legacy::to_profile(model).profile, {}, fuzz::make_limits());
  if (!once || !has_small_values(model)) return 0;
  const auto meaning = conversion::chrome::legacy::to_profile(once->model);
  const auto twice = conversion::chrome::legacy::from_profile(meaning.profile, {}, fuzz::make_limits());
  require(twice.has_value(), "the profile fits a second time");
  require(write(twice->model) == write(once->model), "the second conversion changes nothing");
  require(twice->losses.empty(), "nothing is lost the second time");
  return 0;
}
