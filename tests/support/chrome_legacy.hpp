// Shared by the tests of legacy heap dumps: functions to make, read and write traces.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome/legacy/reader.hpp"
#include "formats/chrome/legacy/writer.hpp"
#include "formats/chrome/walker.hpp"
#include "formats/core/source.hpp"
#include "validate/collector.hpp"

namespace heapcheck::tests {

struct LegacyTrace {
  chrome::legacy::Model model;
  std::vector<Finding> findings;
  bool is_complete = false;
  std::uint64_t ahead = 0;  // values that were read ahead

  /// The rule ids and paths of the findings, one per line.
  [[nodiscard]] std::string found() const {
    std::string text;
    for (const Finding& finding : findings) {
      text += std::string(finding.rule->id) + " " + finding.location.path + "\n";
    }
    return text;
  }
};

inline LegacyTrace read_legacy(std::string_view text, const Limits& limits = {}, std::size_t chunk = SIZE_MAX,
                               std::size_t capacity = core::Window::default_capacity) {
  core::MemorySource source(core::as_bytes(text), chunk);
  core::Window window(source, capacity);
  validation::Collector collector(20);
  chrome::legacy::LegacyReader reader(limits);
  const std::array<chrome::PayloadReader*, 1> readers{&reader};
  chrome::Walker walker(window, limits, readers, collector);
  while (walker.read_event()) {
  }
  return {std::move(reader.model()), collector.take_findings(), walker.container().is_complete,
          reader.count_ahead()};
}

inline std::string write_legacy(const chrome::legacy::Model& model) {
  core::MemorySink sink;
  if (!chrome::legacy::write_events(model, sink)) return {};
  return "[" + std::string(core::as_text(sink.bytes())) + "]";
}

/// Makes a trace with one dump of process 7 from the entries of malloc, the stack frames and the types.
inline std::string make_legacy(std::string_view entries, std::string_view frames, std::string_view types) {
  std::string text = R"([{"pid":7,"ph":"M","name":"stackFrames","args":{"stackFrames":{)";
  text += std::string(frames) + R"(}}},{"pid":7,"ph":"M","name":"typeNames","args":{"typeNames":{)";
  text += std::string(types) +
          R"(}}},{"pid":7,"id":"0x1","ph":"v","args":{"dumps":{"heaps":{"malloc":{"entries":[)";
  return text + std::string(entries) + "]}}}}}]";
}

}  // namespace heapcheck::tests
