#include "formats/read_trace.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/chrome/heaps_v2/reader.hpp"
#include "formats/chrome/legacy/reader.hpp"
#include "formats/chrome/process_names.hpp"
#include "formats/chrome/walker.hpp"

namespace heapcheck::formats {
namespace {

bool holds_dumps(const chrome::legacy::Model& model) {
  return std::ranges::any_of(model.processes,
                             [](const chrome::legacy::Process& process) { return !process.dumps.empty(); });
}

}  // namespace

Format Trace::format() const {
  const bool has_legacy = holds_dumps(legacy);
  if (has_legacy == !heaps_v2.dumps.empty()) return Format::chrome_trace;
  return has_legacy ? Format::chrome_legacy : Format::heaps_v2;
}

bool Trace::has_dumps() const { return holds_dumps(legacy) || !heaps_v2.dumps.empty(); }

std::string Trace::describe_lack() const { return chrome::describe(other_dumps, process_names); }

Trace read_trace(core::Window& window, const Limits& limits, core::FindingSink& sink) {
  chrome::legacy::LegacyReader legacy(limits);
  chrome::heaps_v2::HeapsV2Reader heaps_v2(limits);
  chrome::ProcessNames names;
  const std::array<chrome::PayloadReader*, 3> readers{&legacy, &heaps_v2, &names};
  chrome::Walker walker(window, limits, readers, sink);
  chrome::OtherDumps other_dumps;
  while (walker.read_event()) other_dumps.add(walker.event().head());
  legacy.model().threshold = chrome::find_breakdown_threshold(walker.container().config, limits);
  const bool lacks_memory = legacy.is_out_of_memory() || heaps_v2.is_out_of_memory();
  return {walker.container(), std::move(legacy.model()), heaps_v2.take_model(), names.names(),
          lacks_memory,       std::move(other_dumps)};
}

}  // namespace heapcheck::formats
