// A column of numbers of a graph, such as the sizes of its nodes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace heapcheck {

/// Numbers of up to 64 bits. They take up 4 bytes each until one of them is 2^32 or more, and 8 bytes
/// each from then on. In real heaps, sizes and ids are almost always smaller. Owns its memory.
class GraphColumn {
 public:
  using value_type = std::uint64_t;
  /// Reads the numbers in order, at random positions as well. The column must not change in the meantime.
  class Iterator;

  GraphColumn() = default;
  GraphColumn(std::initializer_list<std::uint64_t> values) { append(values); }
  explicit GraphColumn(std::span<const std::uint64_t> values) { append(values); }

  [[nodiscard]] std::size_t size() const { return narrow_.size() + wide_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// The number at `index`, which must be below size().
  [[nodiscard]] std::uint64_t operator[](std::size_t index) const {
    // One of the two is empty.
    return index < narrow_.size() ? narrow_.data()[index] : wide_.data()[index];
  }
  [[nodiscard]] std::uint64_t back() const { return (*this)[size() - 1]; }  ///< there must be one
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  /// Replaces the number at `index`, which must be below size().
  void set(std::size_t index, std::uint64_t value) {
    if (value > UINT32_MAX) widen();
    if (index < narrow_.size())
      narrow_.data()[index] = static_cast<std::uint32_t>(value);
    else
      wide_.data()[index] = value;
  }
  void push_back(std::uint64_t value) {
    if (value > UINT32_MAX) widen();
    if (wide_.empty() && value <= UINT32_MAX)
      narrow_.push_back(static_cast<std::uint32_t>(value));
    else
      wide_.push_back(value);
  }
  /// Makes room for `count` numbers below 2^32.
  void reserve(std::size_t count) { narrow_.reserve(count); }
  /// Removes numbers from the end, or appends zeros.
  void resize(std::size_t count) {
    if (wide_.empty())
      narrow_.resize(count);
    else
      wide_.resize(count);
  }

  friend bool operator==(const GraphColumn& a, const GraphColumn& b);

 private:
  template <class Values>
  void append(const Values& values) {
    reserve(values.size());
    for (const std::uint64_t value : values) push_back(value);
  }
  void widen() {
    if (!wide_.empty()) return;
    wide_.reserve(narrow_.capacity());
    wide_.assign(narrow_.begin(), narrow_.end());
    narrow_ = std::vector<std::uint32_t>();  // unlike {}, this frees the memory
  }

  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

class GraphColumn::Iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = std::uint64_t;
  using difference_type = std::ptrdiff_t;

  Iterator() = default;
  Iterator(const GraphColumn& column, std::ptrdiff_t index) : column_(&column), index_(index) {}

  std::uint64_t operator*() const { return (*column_)[static_cast<std::size_t>(index_)]; }
  std::uint64_t operator[](std::ptrdiff_t distance) const { return *(*this + distance); }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this -= 1; }
  Iterator operator++(int) { return std::exchange(*this, *this + 1); }
  Iterator operator--(int) { return std::exchange(*this, *this - 1); }
  Iterator& operator+=(std::ptrdiff_t distance) {
    index_ += distance;
    return *this;
  }
  Iterator& operator-=(std::ptrdiff_t distance) { return *this += -distance; }
  friend Iterator operator+(Iterator at, std::ptrdiff_t distance) { return at += distance; }
  friend Iterator operator+(std::ptrdiff_t distance, Iterator at) { return at += distance; }
  friend Iterator operator-(Iterator at, std::ptrdiff_t distance) { return at -= distance; }
  friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.index_ - b.index_; }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
  friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.index_ <=> b.index_; }

 private:
  const GraphColumn* column_ = nullptr;
  std::ptrdiff_t index_ = 0;
};

inline GraphColumn::Iterator GraphColumn::begin() const { return {*this, 0}; }
inline GraphColumn::Iterator GraphColumn::end() const { return {*this, static_cast<std::ptrdiff_t>(size())}; }

inline bool operator==(const GraphColumn& a, const GraphColumn& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace heapcheck
