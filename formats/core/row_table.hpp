// A hash table of the numbers of rows, which are kept elsewhere: it finds the earlier row that is equal to a
// new one. A row takes 11 to 21 bytes, and finding it one or two cache misses, where a std::unordered_set
// needs an allocation for each row, and three to four cache misses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heapcheck::core {

class RowTable {
 public:
  /// The numbers of rows are below this. find_or_add does not remember other rows.
  static constexpr std::uint64_t limit = UINT32_MAX;

  /// Returns the number of the row with this hash for which `is_same` is true. If there is none, adds the row
  /// `next` and returns `next`. Equal rows must have equal hashes, from core::KeyedHash if they come from a
  /// file.
  template <class IsSame>
  std::uint64_t find_or_add(std::size_t hash, std::uint64_t next, const IsSame& is_same) {
    if (count_ >= slots_.size() / 4 * 3) grow();
    const std::uint32_t short_hash = shorten(hash);
    for (std::size_t place = short_hash;; ++place) {
      Slot& slot = slots_[place & (slots_.size() - 1)];
      if (slot.number == 0) {
        if (next >= limit) return next;
        slot = {.hash = short_hash, .number = static_cast<std::uint32_t>(next + 1)};
        ++count_;
        return next;
      }
      if (slot.hash == short_hash && is_same(std::uint64_t{slot.number} - 1)) return slot.number - 1;
    }
  }
  /// Starts loading the memory that find_or_add needs for this hash. Most of its time is spent waiting for
  /// memory, so with many rows, it is faster to prefetch for several before adding them.
  void prefetch(std::size_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[shorten(hash) & (slots_.size() - 1)]);
  }
  void clear() {
    std::ranges::fill(slots_, Slot{});
    count_ = 0;
  }
  /// The memory that the table takes up, in bytes.
  [[nodiscard]] std::uint64_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::size_t first_size = 1024;  // a power of two, like all later sizes
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // that of the row + 1, or 0 if the slot is free
  };

  static std::uint32_t shorten(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ hash >> 32U); }

  void grow() {
    const std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(std::max(first_size, 2 * slots_.size())));
    for (const Slot& slot : old) {
      if (slot.number == 0) continue;
      std::size_t place = slot.hash;
      while (slots_[place & (slots_.size() - 1)].number != 0) ++place;
      slots_[place & (slots_.size() - 1)] = slot;
    }
  }

  std::vector<Slot> slots_;  // with open addressing
  std::size_t count_ = 0;
};

}  // namespace heapcheck::core
