// Memory for columns. It is not zeroed, because every value is written right afterwards, and it uses huge
// pages where the system offers them, because writing to new memory for the first time takes as long as
// decoding a column.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace heapcheck::mvmheap {

/// `byte_count` bytes, never null; throws std::bad_alloc.
void* allocate_column(std::size_t byte_count);
void free_column(void* memory, std::size_t byte_count) noexcept;

template <class T>
struct ColumnAllocator {
  using value_type = T;

  ColumnAllocator() = default;
  template <class U>
  explicit(false) ColumnAllocator(const ColumnAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_column(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_column(memory, count * sizeof(T)); }

  /// Leaves a new value uninitialised. The standard allocator would zero it.
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }

  friend bool operator==(const ColumnAllocator&, const ColumnAllocator&) { return true; }
};

}  // namespace heapcheck::mvmheap
