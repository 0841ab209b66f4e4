// Property: how the bytes arrive does not matter. Read in pieces, or through a smaller or larger window, a
// profile gives the same findings, columns and places as read at once. The last two bytes say how large
// the pieces are; they are read as part of the profile all the same.
#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/v8/heapprofile/reader.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

struct Outcome {
  Reading reading;
  std::vector<core::Finding> findings;
};

Outcome read(core::ByteSpan bytes, std::size_t chunk, std::size_t capacity) {
  core::MemorySource source(bytes, chunk);
  core::Window window(source, capacity);
  validate::Collector collector(1000);
  Outcome outcome{read_profile(window, fuzz::make_limits(), collector), {}};
  outcome.findings = collector.take_findings();
  return outcome;
}

bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.path == b.location.path &&
         a.message == b.message;
}

bool same_places(const Container& a, const Container& b) {
  return a.byte_count == b.byte_count && a.head == b.head && a.samples == b.samples && a.form == b.form &&
         a.is_complete == b.is_complete && a.unknown_members == b.unknown_members &&
         a.node_offsets == b.node_offsets && a.child_indices == b.child_indices &&
         a.node_parts == b.node_parts && a.sample_offsets == b.sample_offsets &&
         a.sample_indices == b.sample_indices;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  if (size < 2) return 0;
  constexpr std::size_t least_capacity = 64;
  const std::size_t chunk = 1 + core::decode_le<std::uint16_t>(data + size - 2) % 1000;
  const Outcome whole = read(bytes, SIZE_MAX, core::Window::default_capacity);
  for (const Outcome& other : {read(bytes, chunk, core::Window::default_capacity),
                               read(bytes, SIZE_MAX, least_capacity), read(bytes, chunk, least_capacity)}) {
    require(std::ranges::equal(whole.findings, other.findings, same_finding), "the findings are the same");
    require(whole.reading.profile == other.reading.profile, "so is the profile");
    require(same_places(whole.reading.container, other.reading.container), "so are the places");
  }
  return 0;
}
