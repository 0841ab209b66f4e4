// A leaf parser for runs of entries in the form that writers use; reads borrowed bytes without the JSON
// reader. Anything unusual (white space, escapes, ids of merged traces, other members) is left to the caller.
#pragma once

#include <array>
#include <cstdint>

#include "formats/chrome/legacy/model.hpp"
#include "formats/core/bytes.hpp"

namespace heapcheck::chrome::legacy {

/// Decoded entries that are to be appended to columns; offsets are relative to the first decoded byte.
struct EntryBlock {
  static constexpr std::size_t capacity = 512;

  std::size_t count = 0;
  std::array<FrameId, capacity> frame;
  std::array<TypeId, capacity> type;
  std::array<std::uint64_t, capacity> size;
  std::array<std::uint64_t, capacity> value_count;
  std::array<std::uint32_t, capacity> at;
  std::array<std::uint16_t, capacity> length;
};

/// Fills `block` with entries from the front of `bytes`, up to the first one that does not have the common
/// form: `size` and any of `count`, `bt` and `type`, each once and in any order, without white space, with
/// usual values, and with a comma after the entry. Returns the number of bytes decoded, commas included.
/// Stops a little before the end of `bytes`.
std::size_t decode_entries(core::ByteSpan bytes, EntryBlock& block);

}  // namespace heapcheck::chrome::legacy
