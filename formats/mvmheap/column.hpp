// One column of a table: integers of up to 64 bits, held in the narrowest type that real values
// need. Values that do not fit are kept exactly in a side list, so nothing a file says is lost,
// and rules stay plain loops over narrow arrays that the compiler can vectorise.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "formats/core/bytes.hpp"
#include "formats/mvmheap/column_allocator.hpp"

namespace heapcheck::mvmheap {

/// An array of values as columns use it: not zeroed when it grows.
template <class T>
using ColumnVector = std::vector<T, ColumnAllocator<T>>;

template <std::unsigned_integral T>
class Column {
 public:
  /// What stands in narrow() for every value that is this or more.
  static constexpr T wide_mark = std::numeric_limits<T>::max();

  /// A value of wide_mark or more, and its place.
  struct Wide {
    std::uint64_t index;
    std::uint64_t value;
    friend constexpr bool operator==(const Wide&, const Wide&) = default;
  };

  [[nodiscard]] std::uint64_t count() const { return narrow_.size(); }

  /// The value at `index`, which must be below count().
  [[nodiscard]] std::uint64_t operator[](std::uint64_t index) const {
    const T value = narrow_[static_cast<std::size_t>(index)];
    return value == wide_mark ? find_wide(index) : value;
  }

  /// All values, with wide_mark for the wide ones. A bound below wide_mark can be checked here alone.
  [[nodiscard]] std::span<const T> narrow() const { return narrow_; }
  /// The wide values, by place.
  [[nodiscard]] std::span<const Wide> wide() const { return wide_; }

  /// Appends entries of `entry_bytes` (2, 4 or 8) bytes, little endian; `entries` holds whole ones.
  void append(core::ByteSpan entries, unsigned entry_bytes);

  void push_back(std::uint64_t value) {
    if (value >= wide_mark) wide_.push_back({count(), value});
    narrow_.push_back(value >= wide_mark ? wide_mark : static_cast<T>(value));
  }

  /// Makes room for `count` values, and for a few more: the next snapshot has slightly more.
  void reserve(std::uint64_t count) {
    if (count > narrow_.capacity()) narrow_.reserve(static_cast<std::size_t>(count + count / 8));
  }
  /// Empties the column and keeps its memory for the next snapshot.
  void clear() {
    narrow_.clear();
    wide_.clear();
  }
  /// Cuts the column to its first `count` values.
  void truncate(std::uint64_t count) {
    narrow_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count, narrow_.size())));
    while (!wide_.empty() && wide_.back().index >= narrow_.size()) wide_.pop_back();
  }

  /// Memory held, in bytes.
  [[nodiscard]] std::uint64_t memory() const {
    return narrow_.capacity() * sizeof(T) + wide_.capacity() * sizeof(Wide);
  }

  friend bool operator==(const Column& a, const Column& b) {
    return std::ranges::equal(a.narrow_, b.narrow_) && a.wide_ == b.wide_;
  }

 private:
  [[nodiscard]] std::uint64_t find_wide(std::uint64_t index) const {
    return std::ranges::lower_bound(wide_, index, {}, &Wide::index)->value;
  }

  ColumnVector<T> narrow_;
  std::vector<Wide> wide_;
};

extern template class Column<std::uint8_t>;
extern template class Column<std::uint16_t>;
extern template class Column<std::uint32_t>;

}  // namespace heapcheck::mvmheap
