// An array that may become large, for a column or the text of many strings. There are two differences from
// std::vector. New values are not zeroed, because every value is written immediately afterwards. A large
// array uses huge pages if the system offers them, and keeps its pages when it grows, because writing to new
// memory for the first time takes as long as decoding a column. Huge pages are only slower in a virtual
// machine that has returned its free memory to the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace heapcheck::core {

/// The size of the pages of large arrays.
inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Enlarges a memory block of `old_bytes` bytes (none if `memory` is null) and keeps the first `used` bytes.
/// If there is not enough memory, throws std::bad_alloc and leaves the memory unchanged.
void* grow_array_memory(void* memory, std::size_t used, std::size_t old_bytes, std::size_t new_bytes);
void free_array_memory(void* memory, std::size_t byte_count) noexcept;
/// The next capacity of a full array whose capacity is not 0.
std::size_t next_capacity(std::size_t capacity);

template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  LargeArray(const LargeArray& other) { append(other); }
  LargeArray(LargeArray&& other) noexcept { swap(other); }
  LargeArray& operator=(LargeArray other) noexcept {
    swap(other);
    return *this;
  }
  ~LargeArray() { free_array_memory(data_, capacity_ * sizeof(T)); }

  void swap(LargeArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t index) { return data_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return data_[index]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

  void clear() { size_ = 0; }
  /// Removes the first `count` values. Releases memory that is much larger than the rest needs.
  void drop_front(std::size_t count) {
    std::copy(data_ + count, data_ + size_, data_);
    size_ -= count;
    if (capacity_ * sizeof(T) < huge_page_bytes || size_ > capacity_ / 8) return;
    LargeArray rest;
    rest.append(*this);
    swap(rest);
  }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    data_ = static_cast<T*>(
        grow_array_memory(data_, size_ * sizeof(T), capacity_ * sizeof(T), count * sizeof(T)));
    capacity_ = count;
  }
  /// New values are uninitialised. The capacity grows in steps until the values fit, so that it does not
  /// depend on how many values are added at a time.
  void resize(std::size_t count) {
    if (count > capacity_) {
      std::size_t capacity = capacity_ == 0 ? count : next_capacity(capacity_);
      while (capacity < count) capacity = next_capacity(capacity);
      reserve(capacity);
    }
    size_ = count;
  }
  void push_back(T value) {
    resize(size_ + 1);
    data_[size_ - 1] = value;
  }
  /// `values` must not be part of this array.
  template <class Value>
  void append(std::span<const Value> values) {
    const std::size_t first = size_;
    resize(first + values.size());
    std::ranges::transform(values, data_ + first, [](Value value) { return static_cast<T>(value); });
  }
  void append(const LargeArray& values) { append(std::span<const T>(values)); }
  void assign(std::size_t count, T value) {
    size_ = 0;
    resize(count);
    std::fill_n(data_, count, value);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace heapcheck::core
