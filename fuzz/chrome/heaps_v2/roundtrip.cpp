// Property: dumps that are read without errors are written as a trace that reads back as the same dumps, and
// writing those again produces the same bytes.
#include <algorithm>

#include "fuzz/chrome/heaps_v2/trace.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome::heaps_v2;
using fuzz::require;

namespace {

bool same_dump(const Dump& a, const Dump& b) {
  const auto same_heap = [](const Heap& x, const Heap& y) {
    const auto same_column = [](const NumberColumn& p, const NumberColumn& q) {
      return p.values == q.values;
    };
    return x.allocator == y.allocator && std::ranges::equal(x.columns, y.columns, same_column);
  };
  return a.head.pid == b.head.pid && a.head.id == b.head.id && a.nodes.id == b.nodes.id &&
         a.nodes.parent == b.nodes.parent && a.nodes.name_sid == b.nodes.name_sid &&
         a.types.id == b.types.id && a.types.name_sid == b.types.name_sid && a.strings.id == b.strings.id &&
         std::ranges::equal(a.heaps, b.heaps, same_heap);
}

bool has_error(validation::Collector& collector) {
  return !collector.more().empty() || std::ranges::any_of(collector.take_findings(), [](const auto& finding) {
    return finding.rule->severity == Severity::error;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  validation::Collector first(1000);
  const Model model = fuzz::read_heaps_v2({data, size}, first);
  const auto lacks_id = [](const Dump& dump) { return dump.head.id.empty(); };
  if (has_error(first) || std::ranges::any_of(model.dumps, lacks_id))
    return 0;  // an event in the proposal's layout may lack its id
  const std::string text = fuzz::write_heaps_v2(model);
  validation::Collector second(1000);
  const Model again =
      fuzz::read_heaps_v2(core::as_bytes(text), second, core::Window::default_capacity, Limits{});
  require(second.take_findings().empty(), "the written trace has no faults");
  require(std::ranges::equal(model.dumps, again.dumps, same_dump),
          "reading them back produces the same dumps");
  require(fuzz::write_heaps_v2(again) == text, "writing it again produces the same bytes");
  return 0;
}
