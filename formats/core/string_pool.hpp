// The strings of a file, each of which is stored once, and the small numbers that represent them. Owns the
// strings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/core/large_array.hpp"
#include "formats/core/row_table.hpp"

namespace heapcheck::core {

/// An index into a StringPool.
enum class PoolIndex : std::uint32_t {};

class StringPool {
 public:
  /// A borrowed string to be interned.
  struct Prepared {
    std::string_view text;
    std::size_t hash = 0;
  };

  /// Returns the index of `text`, which is added if it is new. Takes amortised time linear in the length of
  /// `text`.
  PoolIndex intern(std::string_view text) { return intern_prepared(prepare(text)); }
  PoolIndex intern_prepared(const Prepared& prepared);
  /// Hashes the string and starts loading the memory needed to intern it. Most of the time is spent waiting
  /// for memory, so it is faster to prepare several strings before interning them.
  [[nodiscard]] Prepared prepare(std::string_view text) const;
  /// Interns the strings of another pool in their order, and returns their indices in this pool.
  std::vector<PoolIndex> intern_all(const StringPool& other);
  [[nodiscard]] std::string_view operator[](PoolIndex index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t start = i == 0 ? 0 : ends_[i - 1];
    return {text_.data() + start, ends_[i] - start};
  }
  /// The number of strings. Their indices start at 0 and follow the order in which strings were added.
  [[nodiscard]] std::uint64_t count() const { return ends_.size(); }
  /// The memory that the pool takes up, in bytes.
  [[nodiscard]] std::uint64_t memory() const;

  friend bool operator==(const StringPool& a, const StringPool& b) {
    return std::ranges::equal(a.text_, b.text_) && std::ranges::equal(a.ends_, b.ends_);
  }

 private:
  LargeArray<char> text_;
  LargeArray<std::size_t> ends_;
  RowTable numbers_;
};

}  // namespace heapcheck::core
