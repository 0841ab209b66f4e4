
#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>

#include "formats/core/keyed_hash.hpp"
#include "validate/chrome/heaps_v2/rules.hpp"

namespace heapcheck::validation::chrome::heaps_v2 {
namespace {

/// A hash of the rows of the dump.
std::size_t hash_rows(const Dump& dump) {
  std::size_t hash = core::KeyedHash{}(dump.head.id);
  for (const Heap& heap : dump.heaps) {
    for (const auto& column : heap.columns) {
      for (const std::uint64_t value : column.values) hash = core::KeyedHash::combine(hash, value);
    }
  }
  return hash;
}

bool has_rows(const Dump& dump) {
  return std::ranges::any_of(dump.heaps,
                             [](const Heap& heap) { return !heap[HeapColumn::sizes].values.empty(); });
}

bool is_same(const Heap& a, const Heap& b) {
  return a.allocator == b.allocator &&
         std::ranges::equal(a.columns, b.columns, {}, &heapcheck::chrome::heaps_v2::NumberColumn::values,
                            &heapcheck::chrome::heaps_v2::NumberColumn::values);
}

bool is_same(const Dump& a, const Dump& b) {
  return a.head.id == b.head.id &&
         std::ranges::equal(a.heaps, b.heaps, [](const Heap& x, const Heap& y) { return is_same(x, y); }) &&
         a.nodes.id == b.nodes.id && a.nodes.parent == b.nodes.parent &&
         a.nodes.name_sid == b.nodes.name_sid && a.types.id == b.types.id &&
         a.types.name_sid == b.types.name_sid && a.strings.id == b.strings.id &&
         a.strings.text == b.strings.text;
}

}  // namespace

std::vector<std::uint32_t> check_twice(const heapcheck::chrome::heaps_v2::Model& model,
                                       const std::vector<std::uint32_t>& dumps, core::FindingSink& sink) {
  std::unordered_map<std::size_t, std::uint32_t, core::KeyedHash> firsts;
  std::vector<std::uint32_t> originals;
  for (const std::uint32_t index : dumps) {
    const Dump& dump = model.dumps[index];
    const auto [first, is_new] = firsts.emplace(hash_rows(dump), index);
    if (is_new || !has_rows(dump) || !is_same(model.dumps[first->second], dump)) {
      originals.push_back(index);
      continue;
    }
    core::report_or_count(sink,
                          {&rules::dump_twice,
                           locate(dump),
                           "the dump has the same rows and maps as an earlier one, expected different ones",
                           {{locate(model.dumps[first->second]), "the earlier dump"}}});
  }
  return originals;
}

}  // namespace heapcheck::validation::chrome::heaps_v2
