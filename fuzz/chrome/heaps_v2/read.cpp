// Property: whatever the bytes are, the model is consistent, its spans are inside the input, and neither the
// model nor the findings depend on how the input arrives.
#include "fuzz/chrome/heaps_v2/trace.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome::heaps_v2;
using fuzz::require;

namespace {

void check_map(const Map& map, std::uint64_t byte_count) {
  require(fuzz::is_inside(map.span, byte_count), "a map is inside the input");
  require(map.is_present || map.id.empty(), "a map that is absent has no rows");
  for (std::uint64_t row = 0; row < map.id.size(); ++row) {
    require(map.runs.find(row).length != 0 && fuzz::is_inside(map.runs.find(row), byte_count),
            "a row of a map is inside the input");
  }
}

void check_types(const TypeMap& map, std::uint64_t byte_count) {
  check_map(map, byte_count);
  require(map.name_sid.size() == map.id.size(), "each row has a name");
  require(map.text.empty() || map.text.size() == map.id.size(), "there are as many strings as ids, or none");
}

void check_dump(const Dump& dump, std::uint64_t byte_count) {
  require(fuzz::is_inside(dump.span, byte_count), "a dump is inside the input");
  check_map(dump.strings, byte_count);
  check_types(dump.types, byte_count);
  check_types(dump.nodes, byte_count);
  require(dump.strings.text.size() == dump.strings.id.size(), "each row of strings has a string");
  require(dump.nodes.parent.size() == dump.nodes.id.size(), "each node has a parent or none");
  for (const Heap& heap : dump.heaps) {
    require(fuzz::is_inside(heap.span, byte_count), "an allocator is inside the input");
    for (const NumberColumn& column : heap.columns) {
      for (std::uint64_t row = 0; row < column.values.size(); ++row) {
        require(fuzz::is_inside(column.runs.find(row), byte_count), "an element is inside the input");
      }
    }
  }
}

bool same_findings(const std::vector<Finding>& a, const std::vector<Finding>& b) {
  return std::ranges::equal(a, b, [](const Finding& x, const Finding& y) {
    return x.rule == y.rule && x.location.file.offset == y.location.file.offset && x.message == y.message;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t small = 64;
  validation::Collector collectors[2] = {validation::Collector(1000), validation::Collector(1000)};
  const Model model = fuzz::read_heaps_v2({data, size}, collectors[0]);
  const Model again = fuzz::read_heaps_v2({data, size}, collectors[1], small);
  for (const Dump& dump : model.dumps) check_dump(dump, dump.place.string ? SIZE_MAX / 2 : size);
  require(model.dumps.size() == again.dumps.size(), "reading in pieces finds the same dumps");
  require(fuzz::write_heaps_v2(model) == fuzz::write_heaps_v2(again), "the dumps are the same");
  const auto findings = collectors[0].take_findings();
  fuzz::require_places_inside(findings, size);
  require(same_findings(findings, collectors[1].take_findings()),
          "reading in pieces reports the same findings");
  return 0;
}
