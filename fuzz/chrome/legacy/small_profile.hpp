// Makes a profile with one process and one heap from any bytes. Each row takes three bytes, which select a
// frame and its parent, a type, and a value. Values are small, so that no sum comes near a limit.
#pragma once

#include <algorithm>
#include <map>

#include "convert/chrome/profile.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::fuzz {

inline conversion::chrome::Profile make_small_profile(core::ByteSpan bytes) {
  using namespace chrome;
  constexpr std::string_view names[]{"<self>", "<other>", "f", "g"};
  conversion::chrome::Profile profile;
  conversion::chrome::Process& process = profile.processes.emplace_back();
  conversion::chrome::Dump& dump = process.dumps.emplace_back();
  dump.head.id = "0x1";
  conversion::chrome::Heap& heap = dump.heaps.emplace_back();
  heap.allocator = "malloc";
  for (const std::string_view name : names) process.types.push_back(profile.strings.intern(name));
  std::map<std::pair<conversion::chrome::FrameIndex, core::PoolIndex>, std::uint32_t> frames;
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    const conversion::chrome::FrameIndex parent{static_cast<std::uint32_t>(bytes[0] % (frames.size() + 1)) -
                                                1};  // a frame, or conversion::chrome::no_frame
    const core::PoolIndex name = process.types[bytes[1] % std::size(names)];
    const auto [frame, is_new] = frames.emplace(std::pair(parent, name), frames.size());
    if (is_new) process.frames.parent.push_back(parent);
    if (is_new) process.frames.name.push_back(name);
    heap.frame.push_back(bytes[1] >= 0xF0 ? conversion::chrome::no_frame
                                          : conversion::chrome::FrameIndex{frame->second});
    heap.type.push_back(conversion::chrome::TypeIndex{bytes[2] % 4U});
    heap.size.push_back(bytes[2] / 4 % 8);
    heap.count.push_back(std::min<std::uint64_t>(bytes[2] / 32, heap.size.back()));
  }
  return profile;
}

}  // namespace heapcheck::fuzz
