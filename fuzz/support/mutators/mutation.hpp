// Shared by the mutators of all formats. For libFuzzer builds only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/support/choices.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace heapcheck::fuzz {

using Bytes = std::vector<std::uint8_t>;

inline void append(Bytes& out, core::ByteSpan bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

/// Lets libFuzzer change the bytes, and add at most 64 bytes.
inline void change_bytes(Bytes& bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + 64);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
}
inline std::string change_bytes(std::string_view text) {
  Bytes bytes(text.begin(), text.end());
  change_bytes(bytes);
  return {bytes.begin(), bytes.end()};
}

/// Removes, duplicates or moves one of the items.
template <class Item>
void change_order(std::vector<Item>& items, RandomChoices& choices) {
  if (items.empty()) return;
  const auto place = items.begin() + static_cast<std::ptrdiff_t>(choices.below(items.size()));
  switch (choices.below(3)) {
    case 0:
      items.erase(place);
      return;
    case 1:
      items.insert(place, Item(*place));
      return;
    default:
      std::swap(*place, items[choices.below(items.size())]);
  }
}

}  // namespace heapcheck::fuzz
