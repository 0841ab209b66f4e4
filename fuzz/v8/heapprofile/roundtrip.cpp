// Property: what reads without errors is written as a profile that reads equal, without new errors, and
// writing that again gives the same bytes.
#include "formats/v8/heapprofile/writer.hpp"

#include <algorithm>

#include "formats/v8/heapprofile/reader.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

struct Outcome {
  Reading reading;
  bool is_clean = false;
};

Outcome read(core::ByteSpan bytes, const Limits& limits) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  core::Tally tally(silent);
  Reading reading = read_profile(window, limits, tally);
  return {std::move(reading), tally.clean()};
}

std::vector<std::uint8_t> write(const Profile& profile) {
  core::MemorySink sink;
  require(write_profile(profile, sink).has_value(), "memory can be written to");
  return sink.bytes();
}

bool same_texts(const Profile& a, const Profile& b, const std::vector<core::PoolIndex>& left,
                const std::vector<core::PoolIndex>& right) {
  return std::ranges::equal(left, right, [&](core::PoolIndex one, core::PoolIndex other) {
    if (one == no_text || other == no_text) return one == other;
    return a.strings[one] == b.strings[other];
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Outcome first = read({data, size}, fuzz::make_limits());
  if (!first.is_clean) return 0;
  const Profile& model = first.reading.profile;
  const auto written = write(model);
  const Outcome second = read(written, {});
  require(second.is_clean, "what is written has no errors");
  const Profile& again = second.reading.profile;
  require(again.samples == model.samples && again.has_samples == model.has_samples, "samples read equal");
  require(again.nodes.parent == model.nodes.parent && again.nodes.self_size == model.nodes.self_size &&
              again.nodes.id == model.nodes.id && again.nodes.line == model.nodes.line &&
              again.nodes.column == model.nodes.column,
          "so do numbers of nodes");
  require(same_texts(model, again, model.nodes.function_name, again.nodes.function_name) &&
              same_texts(model, again, model.nodes.url, again.nodes.url) &&
              same_texts(model, again, model.nodes.script_id, again.nodes.script_id),
          "and their texts");
  require(write(again) == written, "and the same model gives the same bytes");
  return 0;
}
