// The meaning of a trace's profile, in a form that can be compared because it does not depend on how the
// trace was written.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "convert/chrome/profile.hpp"

namespace heapcheck::fuzz {

using Names = std::vector<std::string_view>;
/// Sizes and counts that are not both 0, by process, dump, allocator, stack and type.
using Values = std::map<std::tuple<std::int64_t, std::string, std::string, Names, std::string_view>,
                        std::pair<std::uint64_t, std::uint64_t>>;

/// The names in the heads of dumps that are not empty, by process and dump.
using Heads = std::map<std::pair<std::int64_t, std::string>, std::array<std::string, 5>>;

inline Names list_stack(const conversion::chrome::Profile& profile,
                        const conversion::chrome::FrameTree& frames, conversion::chrome::FrameIndex frame) {
  Names names;
  for (; frame != conversion::chrome::no_frame; frame = frames.parent[static_cast<std::size_t>(frame)]) {
    names.push_back(profile.strings[frames.name[static_cast<std::size_t>(frame)]]);
  }
  return names;
}

inline Values list_values(const conversion::chrome::Profile& profile) {
  Values values;
  for (const auto& [pid, name, frames, types, dumps] : profile.processes) {
    for (const conversion::chrome::Dump& dump : dumps) {
      for (const conversion::chrome::Heap& heap : dump.heaps) {
        for (std::size_t row = 0; row < heap.row_count(); ++row) {
          if (heap.size[row] == 0 && heap.count[row] == 0) continue;
          const auto type = profile.strings[types[static_cast<std::size_t>(heap.type[row])]];
          values[{pid, dump.head.id, heap.allocator, list_stack(profile, frames, heap.frame[row]), type}] = {
              heap.size[row], heap.count[row]};
        }
      }
    }
  }
  return values;
}

inline bool has_values(const conversion::chrome::Heap& heap) {
  const auto is_set = [](std::uint64_t number) { return number != 0; };
  return std::ranges::any_of(heap.size, is_set) || std::ranges::any_of(heap.count, is_set);
}

inline Heads list_heads(const conversion::chrome::Profile& profile) {
  Heads heads;
  for (const conversion::chrome::Process& process : profile.processes) {
    for (const conversion::chrome::Dump& dump : process.dumps) {
      if (std::ranges::none_of(dump.heaps, has_values)) continue;
      const heapcheck::chrome::EventHead& head = dump.head;
      heads[{process.pid, head.id}] = {process.name, head.name, head.category, head.timestamp,
                                       head.level_of_detail};
    }
  }
  return heads;
}

}  // namespace heapcheck::fuzz
