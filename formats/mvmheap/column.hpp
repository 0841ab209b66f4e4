// One column of a table: integers of up to 64 bits, stored in a narrow type that is large enough for every
// value in real dumps. If a column contains a larger value, all of its values are stored in 64 bits. This
// way, no value in a file is lost, memory use does not exceed twice the size of the file's content, and rules
// are simple loops over narrow arrays that the compiler can vectorise.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "formats/core/bytes.hpp"
#include "formats/core/large_array.hpp"

namespace heapcheck::mvmheap {

template <std::unsigned_integral T>
class Column {
 public:
  [[nodiscard]] std::uint64_t count() const { return is_narrow_ ? narrow_.size() : wide_.size(); }

  /// The value at `index`, which must be less than count().
  [[nodiscard]] std::uint64_t operator[](std::uint64_t index) const {
    const auto i = static_cast<std::size_t>(index);
    return is_narrow_ ? narrow_[i] : wide_[i];
  }

  /// Whether all values fit in T; if so, narrow() returns them.
  [[nodiscard]] bool is_narrow() const { return is_narrow_; }
  [[nodiscard]] std::span<const T> narrow() const { return narrow_; }
  /// An upper bound for the values of narrow().
  [[nodiscard]] T narrow_bound() const { return bound_; }

  /// Appends little-endian entries of `entry_bytes` (2, 4 or 8) bytes each; `entries` must not end inside an
  /// entry.
  void append(core::ByteSpan entries, unsigned entry_bytes);
  void append(std::span<const std::uint64_t> values);

  void push_back(std::uint64_t value) {
    if (is_narrow_ && value > std::numeric_limits<T>::max()) widen();
    if (is_narrow_) {
      narrow_.push_back(static_cast<T>(value));
      bound_ = std::max(bound_, narrow_.back());
    } else {
      wide_.push_back(value);
    }
  }

  /// Makes room for slightly more than `count` values, because the next snapshot is usually slightly larger.
  void reserve(std::uint64_t count) {
    if (count > narrow_.capacity()) narrow_.reserve(static_cast<std::size_t>(count + count / 8));
  }
  /// Empties the column but keeps its memory for the next snapshot.
  void clear() {
    narrow_.clear();
    wide_.clear();
    bound_ = 0;
    is_narrow_ = true;
  }
  /// Shortens the column to its first `count` values.
  void truncate(std::uint64_t count) {
    if (count >= this->count()) return;
    if (is_narrow_) {
      narrow_.resize(static_cast<std::size_t>(count));
    } else {
      wide_.resize(static_cast<std::size_t>(count));
      const auto kept = std::exchange(wide_, {});
      clear();
      append(std::span<const std::uint64_t>(kept));  // the remaining values may all fit in T
    }
  }

  /// The memory in use, in bytes.
  [[nodiscard]] std::uint64_t memory() const {
    return narrow_.capacity() * sizeof(T) + wide_.capacity() * sizeof(std::uint64_t);
  }

  friend bool operator==(const Column& a, const Column& b) {
    if (a.is_narrow_ && b.is_narrow_) return std::ranges::equal(a.narrow_, b.narrow_);
    if (a.count() != b.count()) return false;
    for (std::uint64_t i = 0; i < a.count(); ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

 private:
  void widen();

  core::LargeArray<T> narrow_;
  core::LargeArray<std::uint64_t> wide_;
  T bound_ = 0;
  bool is_narrow_ = true;
};

extern template class Column<std::uint16_t>;
extern template class Column<std::uint32_t>;

}  // namespace heapcheck::mvmheap
