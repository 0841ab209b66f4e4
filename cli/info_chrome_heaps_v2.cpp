// heapcheck info on traces with heaps_v2 dumps.
#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "cli/info_chrome.hpp"

namespace heapcheck::cli {
namespace {

namespace v2 = chrome::heaps_v2;
using v2::Column;

constexpr std::uint64_t member_values = 3;  // a pair, its key, its value

/// Names of frames by process: a frame's name is a text of its own or one of the strings of its dump.
using FrameNames = std::map<std::int64_t, std::unordered_set<core::PoolIndex>>;

void add_nodes(const v2::Dump& dump, ChromeInfo::Process& to, std::unordered_set<core::PoolIndex>& names) {
  const v2::NodeMap& nodes = dump.nodes;
  std::unordered_map<std::uint64_t, core::PoolIndex> texts;
  for (std::size_t i = 0; i < dump.strings.id.size(); ++i) texts[dump.strings.id[i]] = dump.strings.text[i];
  const std::unordered_set<std::uint64_t> parents(nodes.parent.begin(), nodes.parent.end());
  for (std::size_t i = 0; i < nodes.id.size(); ++i) {
    const auto found = texts.find(nodes.name_sid[i]);
    if (found != texts.end()) names.insert(found->second);
    const bool is_root = nodes.parent[i] == v2::no_id;
    to.stack_frames.values += 1 + member_values * (is_root ? 2 : 3);
    to.root_frames += is_root ? 1 : 0;
    to.leaf_frames += parents.contains(nodes.id[i]) ? 0 : 1;
  }
  to.stack_frames.items += nodes.id.size();
  to.stack_frames.bytes += nodes.span.length;
}

void add_maps(const v2::Dump& dump, ChromeInfo::Process& to) {
  const std::uint64_t types = dump.types.id.size();
  const std::uint64_t strings = dump.strings.id.size();
  to.type_names += {types, types * (1 + 2 * member_values), dump.types.span.length};
  to.strings += {strings, strings * (1 + 2 * member_values), dump.strings.span.length};
}

std::uint64_t add_up(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

JsonSize measure(const v2::Heap& heap) {
  JsonSize size{heap[Column::sizes].values.size(), 0, heap.span.length};
  for (const v2::NumberColumn& column : heap.columns) {
    if (column.is_present) size.values += member_values - 1 + 2 * column.values.size();
  }
  return size;
}

ChromeInfo::Heap describe(const v2::Dump& dump, const v2::Heap& heap) {
  ChromeInfo::Heap row;
  row.pid = dump.head.pid.value_or(0);
  row.dump_id = dump.head.id;
  row.allocator = heap.allocator;
  row.rows = heap[Column::sizes].values.size();
  row.byte_count = add_up(heap[Column::sizes].values);
  row.objects = add_up(heap[Column::counts].values);
  return row;
}

}  // namespace

void add_heaps_v2(const v2::Model& model, ChromeInfo& info) {
  FrameNames names;
  for (const v2::Dump& dump : model.dumps) {
    const std::int64_t pid = dump.head.pid.value_or(0);
    ChromeInfo::Process& to = info.process(pid);
    add_nodes(dump, to, names[pid]);
    add_maps(dump, to);
    ++to.dumps;
    for (const v2::Heap& heap : dump.heaps) {
      to.heap(heap.allocator) += measure(heap);
      info.heaps.push_back(describe(dump, heap));
    }
  }
  for (const auto& [pid, unique] : names) info.process(pid).unique_frames += unique.size();
}

}  // namespace heapcheck::cli
