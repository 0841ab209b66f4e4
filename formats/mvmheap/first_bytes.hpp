// The first step of a search for names. Finds bytes with which a name can start, as fast as bytes can be
// read, so that only a few places have to be examined closely.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/core/bytes.hpp"

namespace heapcheck::mvmheap {

class FirstBytes {
 public:
  /// `name_of(item)` is a name, which must not be empty.
  template <class Items, class NameOf>
  constexpr FirstBytes(const Items& items, NameOf name_of) {
    for (const auto& item : items)
      starts_[static_cast<std::uint8_t>(std::string_view(name_of(item)).front())] = true;
  }

  /// The first place at or after `from` and below `places` where a name can start, or `places` if there is
  /// none.
  [[nodiscard]] std::size_t find(core::ByteSpan bytes, std::size_t from, std::size_t places) const {
    while (from < places && !starts_[bytes[from]]) ++from;
    return from;
  }

 private:
  std::array<bool, 256> starts_{};
};

}  // namespace heapcheck::mvmheap
