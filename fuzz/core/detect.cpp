// Property: the content of a compressed input does not depend on how its bytes arrive, stays within the
// limit, and has either a format or an explanation of why it has none.
#include <algorithm>

#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using fuzz::require;

namespace {

struct Outcome {
  bool is_open = false;  ///< false if the first bytes of the file in an archive cannot be read
  Compression compression = Compression::none;
  std::vector<std::uint8_t> content;
  std::string error;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(core::ByteSpan bytes, std::size_t chunk, std::size_t step) {
  const Limits limits = fuzz::make_limits();
  Outcome outcome;
  auto input = core::unwrap(std::make_unique<core::MemorySource>(bytes, chunk), limits);
  if (!input) {
    outcome.error = input.error().message;
    return outcome;
  }
  outcome.is_open = true;
  outcome.compression = input->compression;
  core::Window window(*input->source);
  for (;;) {
    const core::ByteSpan piece = window.peek(step);
    if (piece.empty()) break;
    outcome.content.insert(outcome.content.end(), piece.begin(), piece.end());
    window.consume(piece.size());
  }
  if (window.error()) outcome.error = window.error()->message;
  require(outcome.content.size() <= limits.max_input, "the output stays within the limit");
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const core::ByteSpan bytes(data, size);
  const Outcome whole = read(bytes, SIZE_MAX, core::Window::default_capacity);
  require(whole == read(bytes, 1 + size % 7, 1 + size % 100), "chunks do not change the content");
  if (whole.is_open && whole.compression == Compression::none) {
    require(std::ranges::equal(whole.content, bytes) && whole.error.empty(), "plain bytes stay unchanged");
  }
  const std::size_t length = std::min(whole.content.size(), formats::detection_bytes);
  const auto detection = formats::detect(core::ByteSpan(whole.content).first(length));
  require((detection.format && !detection.is_guess) == detection.explanation.empty(),
          "there is a format or an explanation, or both for a guess");
  require(!detection.format || !slug_of(*detection.format).empty(), "a format has a name");
  return 0;
}
