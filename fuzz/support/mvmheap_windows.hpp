// What the windows targets of MoarVM dumps share: reading a dump in pieces or through a larger window,
// and that findings and tables do not depend on it. Containers and parts are compared by each target.
#pragma once

#include <algorithm>
#include <vector>

#include "formats/core/codec.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/model.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

namespace heapcheck::fuzz {

/// All that reading a dump gives.
template <class Container, class Part>
struct WindowOutcome {
  std::vector<core::Finding> findings;
  std::vector<Part> parts;  ///< the first ones
  Container container;
  mvmheap::Tables tables;
};

template <class Reader, class Container, class Part>
WindowOutcome<Container, Part> read_through(core::ByteSpan bytes, std::size_t chunk, std::size_t capacity) {
  constexpr std::size_t parts_kept = 20;
  core::MemorySource source(bytes, chunk);
  core::Window window(source, capacity);
  validate::Collector collector(1000);
  Reader reader(window, make_limits(), collector);
  WindowOutcome<Container, Part> outcome;
  for (Part part; reader.read_part(part);) {
    if (outcome.parts.size() < parts_kept) outcome.parts.push_back(part);
  }
  outcome.findings = collector.take_findings();
  outcome.container = reader.container();
  outcome.tables = reader.tables();
  return outcome;
}

inline bool same_finding(const core::Finding& a, const core::Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.content == b.location.content &&
         a.location.path == b.location.path && a.message == b.message;
}

/// Reads `bytes` whole, in pieces of a size that the last two bytes give, and through a larger window;
/// `require_same` compares two outcomes beyond findings and tables.
template <class Reader, class Container, class Part, class RequireSame>
void require_windows_agree(core::ByteSpan bytes, RequireSame&& require_same) {
  constexpr std::size_t capacity = core::Window::default_capacity;
  const std::size_t chunk = 1 + core::decode_le<std::uint16_t>(bytes.data() + bytes.size() - 2) % 1000;
  const auto read = read_through<Reader, Container, Part>;
  const auto whole = read(bytes, SIZE_MAX, capacity);
  for (const auto& other : {read(bytes, chunk, capacity), read(bytes, SIZE_MAX, 4 * capacity)}) {
    require(std::ranges::equal(whole.findings, other.findings, same_finding), "the findings are the same");
    require(whole.tables == other.tables, "so are the shared tables");
    require_same(whole, other);
  }
}

}  // namespace heapcheck::fuzz
