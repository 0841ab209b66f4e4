// Property: skipping values, or the rest of the array or object that encloses them, ends at the same place as
// reading token by token and finds the same error, whatever the window.
#include "formats/core/json/reader.hpp"

#include "fuzz/support/json_end.hpp"

using namespace heapcheck;
using namespace heapcheck::core;
using namespace heapcheck::fuzz;

namespace {

constexpr std::size_t large = 8192;

/// The settings that the last byte of the input controls: where to begin skipping, and whether to skip values
/// or the rest of the array or object that encloses them.
struct Way {
  std::size_t tokens = 0;
  std::size_t rest_every = 0;
  bool objects = false;
};

JsonEnd go_through(ByteSpan bytes, std::size_t capacity, std::size_t chunk, const Way* way) {
  MemorySource source(bytes, chunk);
  Window window(source, capacity);
  Limits limits;
  limits.max_json_depth = 100;
  JsonReader reader(window, limits);
  for (std::size_t token = 0; way == nullptr || token < way->tokens; ++token) {
    if (reader.next() >= JsonToken::end) break;
  }
  for (std::size_t step = 1; way != nullptr && reader.skip_value() < JsonToken::end; ++step) {
    require(reader.span().end() <= bytes.size(), "the skipped bytes are inside the input");
    if (step % way->rest_every == 0) reader.skip_rest();
    if (way->objects && reader.skip_objects_without("v") != 0) {
      require(reader.span().end() <= bytes.size(), "skipped objects are inside the input");
    }
  }
  return end_of(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan bytes(data, size);
  const std::size_t steering = size == 0 ? 0 : data[size - 1];
  const Way way{steering % 8, 1 + steering / 16, steering % 16 < 8};
  const auto read = go_through(bytes, large, SIZE_MAX, nullptr);
  for (const std::size_t capacity : {std::size_t{64}, std::size_t{150}, large}) {
    require_same_end(go_through(bytes, capacity, capacity / 3, &way), read);
  }
  return 0;
}
