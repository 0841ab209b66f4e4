// Property: a profile that was read without errors is written so that reading it back produces an equal
// profile without new errors, and writing that profile produces the same bytes.
#include "formats/v8/heapprofile/writer.hpp"

#include "formats/v8/heapprofile/reader.hpp"
#include "fuzz/support/roundtrip.hpp"
#include "fuzz/support/same.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using fuzz::require;

namespace {

bool same_texts(const Profile& a, const Profile& b, const std::vector<core::PoolIndex>& left,
                const std::vector<core::PoolIndex>& right) {
  return std::ranges::equal(left, right, [&](core::PoolIndex one, core::PoolIndex other) {
    if (one == no_text || other == no_text) return one == other;
    return a.strings[one] == b.strings[other];
  });
}

constexpr auto same_numbers =
    fuzz::same<&Nodes::parent, &Nodes::self_size, &Nodes::id, &Nodes::line, &Nodes::column>;

void require_same(const Profile& model, const Profile& again) {
  require(again.samples == model.samples && again.has_samples == model.has_samples, "the samples are equal");
  require(same_numbers(again.nodes, model.nodes), "the numbers of the nodes are equal");
  require(same_texts(model, again, model.nodes.function_name, again.nodes.function_name) &&
              same_texts(model, again, model.nodes.url, again.nodes.url) &&
              same_texts(model, again, model.nodes.script_id, again.nodes.script_id),
          "the strings of the nodes are equal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = [](core::Window& window, const Limits& limits, core::FindingSink& sink) {
    return read_profile(window, limits, sink).profile;
  };
  fuzz::require_roundtrip({data, size}, read, write_profile, require_same);
  return 0;
}
