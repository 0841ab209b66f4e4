// Shared by the roundtrip targets for V8's files: a file that is read without errors is written as a file
// without errors, and writing that file again produces the same bytes. Each target compares the models.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "formats/core/finding_sink.hpp"
#include "formats/core/output/output_file.hpp"
#include "formats/core/window.hpp"
#include "fuzz/support/inputs.hpp"

namespace heapcheck::fuzz {

/// Calls `read` with a window, limits and a sink for findings. Returns the result, or nothing if `read`
/// reports an error.
template <class Read>
auto read_sound(core::ByteSpan bytes, const Limits& limits, Read&& read) {
  core::MemorySource source(bytes);
  core::Window window(source);
  core::SilentSink silent;
  core::Tally tally(silent);
  auto model = read(window, limits, tally);
  return tally.clean() ? std::optional(std::move(model)) : std::nullopt;
}

/// `write` takes a model and a sink for bytes.
template <class Model, class Write>
std::vector<std::uint8_t> write_bytes(const Model& model, Write&& write) {
  core::MemorySink sink;
  require(write(model, sink).has_value(), "writing to memory succeeds");
  return sink.bytes();
}

/// `require_same` compares two results of `read`; `write` takes such a result and a sink for bytes.
template <class Read, class Write, class RequireSame>
void require_roundtrip(core::ByteSpan bytes, Read&& read, Write&& write, RequireSame&& require_same) {
  const auto first = read_sound(bytes, make_limits(), read);
  if (!first) return;
  const auto written = write_bytes(*first, write);
  const auto again = read_sound(written, {}, read);
  require(again.has_value(), "the written file has no errors");
  require(write_bytes(*again, write) == written, "writing it again produces the same bytes");
  require_same(*first, *again);
}

}  // namespace heapcheck::fuzz
