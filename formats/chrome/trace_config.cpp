#include "formats/chrome/trace_config.hpp"

#include <array>

#include "formats/core/json/reader.hpp"
#include "formats/core/source.hpp"

namespace heapcheck::chrome {
namespace {

using core::JsonToken;

/// Moves to the value of `key` in the next object. Returns false if there is no such member.
bool enter(core::JsonReader& json, std::string_view key) {
  if (json.next() != JsonToken::object_begin) return false;
  while (json.next() == JsonToken::key) {
    if (json.text() == key) return true;
    json.skip_value();
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> find_breakdown_threshold(std::string_view config, const Limits& limits) {
  core::MemorySource source(core::as_bytes(config));
  core::Window window(source);
  core::JsonReader json(window, limits);
  constexpr std::array<std::string_view, 3> path{"memory_dump_config", "heap_profiler_options",
                                                 "breakdown_threshold_bytes"};
  for (const std::string_view key : path) {
    if (!enter(json, key)) return std::nullopt;
  }
  return json.next() == JsonToken::number ? json.as_unsigned() : std::nullopt;
}

}  // namespace heapcheck::chrome
