// Property: the JSON reader accepts the same documents as simdjson and reads the same tokens from them.
// Intended differences are left out: halves of surrogate pairs, which heapcheck replaces, numbers outside the
// types of simdjson, and documents nested deeper than the limits.
#include "fuzz/core/json_words.hpp"
#include "fuzz/support/inputs.hpp"

using namespace heapcheck;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  core::MemorySource source({data, size}, 1000);
  core::Window window(source, 256);
  core::JsonReader reader(window, fuzz::make_limits());
  fuzz::Words ours;
  while (reader.next() < core::JsonToken::end) fuzz::add_token(reader, ours);
  const bool is_too_deep = reader.error() && reader.error()->kind == core::JsonErrorKind::depth_limit;
  if (!ours.is_comparable || is_too_deep) return 0;
  simdjson::dom::parser parser;
  const auto parsed = parser.parse(simdjson::padded_string(reinterpret_cast<const char*>(data), size));
  const bool is_taken = parsed.error() == simdjson::SUCCESS;
  require(is_taken == (!reader.error() && !reader.skip_whitespace()),
          "both parsers accept the same documents");
  fuzz::Words theirs;
  if (is_taken) fuzz::add_element(parsed.value_unsafe(), theirs);
  require(!is_taken || ours.text == theirs.text, "both parsers produce the same tokens for a document");
  return 0;
}
