// One column of a table: integers of up to 64 bits, stored in a narrow type that is large enough for every
// value in real dumps. If a column contains a larger value, all of its values are stored in 64 bits. This
// way, no value in a file is lost, memory use does not exceed twice the size of the file's content, and rules
// are simple loops over narrow arrays that the compiler can vectorise.
//
// A column can forget its first values once nothing should need them any more; it still counts them. It notes
// if one of them is asked for, so that whoever made it forget can discard the results and read the file
// again.
#pragma once

#include <algorithm>
#include <atomic>
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
  [[nodiscard]] std::uint64_t count() const {
    return forgotten_ + (is_narrow_ ? narrow_.size() : wide_.size());
  }

  /// The value at `index`, which must be less than count(); 0 if it is forgotten.
  [[nodiscard]] std::uint64_t operator[](std::uint64_t index) const {
    // One comparison for all rare cases: a wide column has no narrow values, and the place of a forgotten
    // value wraps around.
    const std::uint64_t place = index - forgotten_;
    return place < narrow_.size() ? narrow_[static_cast<std::size_t>(place)] : find_other(index);
  }

  /// Whether all values fit in T; if so, narrow() returns them.
  [[nodiscard]] bool is_narrow() const { return is_narrow_; }
  [[nodiscard]] std::span<const T> narrow() const { return narrow_from(0); }
  /// The same without the values before `first`.
  [[nodiscard]] std::span<const T> narrow_from(std::uint64_t first) const {
    if (first < forgotten_) note_missed();
    return std::span<const T>(narrow_).subspan(
        static_cast<std::size_t>(std::max(first, forgotten_) - forgotten_));
  }
  /// The number of values that are forgotten.
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }
  /// Whether a forgotten value was asked for, so that what followed from it is wrong.
  [[nodiscard]] bool is_missed() const { return is_missed_; }
  /// Forgets the values before `first`. May keep them as long as they are fewer than the others, so that
  /// the others need not be moved each time.
  void forget(std::uint64_t first) {
    if (!is_narrow_ || first < forgotten_ + narrow_.size() / 2 || first <= forgotten_) return;
    narrow_.drop_front(static_cast<std::size_t>(first - forgotten_));
    forgotten_ = first;
  }
  /// An upper bound for the values of a narrow column, including those that are forgotten.
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
    forgotten_ = 0;
    bound_ = 0;
    is_narrow_ = true;
  }
  /// Empties the column for other content, of which nothing was asked for.
  void restart() {
    clear();
    is_missed_ = false;
  }
  /// Shortens the column to its first `count` values.
  void truncate(std::uint64_t count) {
    if (count >= this->count()) return;
    forgotten_ = std::min(forgotten_, count);
    const auto held = static_cast<std::size_t>(count - forgotten_);
    if (is_narrow_) {
      narrow_.resize(held);
    } else {
      wide_.resize(held);
      const auto kept = std::exchange(wide_, {});
      const std::uint64_t forgotten = forgotten_;
      clear();
      forgotten_ = forgotten;
      append(std::span<const std::uint64_t>(kept));  // the remaining values may all fit in T
    }
  }

  /// The memory in use, in bytes.
  [[nodiscard]] std::uint64_t memory() const {
    return narrow_.capacity() * sizeof(T) + wide_.capacity() * sizeof(std::uint64_t);
  }

  friend bool operator==(const Column& a, const Column& b) {
    if (a.forgotten_ != b.forgotten_) return false;
    if (a.is_narrow_ && b.is_narrow_) return std::ranges::equal(a.narrow_, b.narrow_);
    if (a.count() != b.count()) return false;
    for (std::uint64_t i = a.forgotten_; i < a.count(); ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

 private:
  void widen();

  /// The value at `index` if it is wide; 0 if it is forgotten.
  [[nodiscard]] std::uint64_t find_other(std::uint64_t index) const {
    if (index >= forgotten_) return wide_[static_cast<std::size_t>(index - forgotten_)];
    note_missed();
    return 0;
  }
  /// Rules of one snapshot may look at a column on several threads.
  void note_missed() const { std::atomic_ref(is_missed_).store(true, std::memory_order_relaxed); }

  core::LargeArray<T> narrow_;
  core::LargeArray<std::uint64_t> wide_;
  std::uint64_t forgotten_ = 0;
  T bound_ = 0;
  bool is_narrow_ = true;
  mutable bool is_missed_ = false;
};

extern template class Column<std::uint16_t>;
extern template class Column<std::uint32_t>;

}  // namespace heapcheck::mvmheap
