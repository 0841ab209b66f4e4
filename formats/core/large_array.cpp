#include "formats/core/large_array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heapcheck::core {
namespace {

/// Whether memory of that size consists of whole huge pages rather than memory from the heap.
constexpr bool is_mapped(std::size_t byte_count) { return byte_count >= 2 * huge_page_bytes; }

constexpr std::size_t round_up(std::size_t byte_count) {
  return (byte_count + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
}

/// Reserves addresses for whole huge pages. Returns null if there are none.
void* reserve_addresses(std::size_t byte_count) {
  void* const memory = ::mmap(nullptr, byte_count + huge_page_bytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const bytes = static_cast<std::uint8_t*>(memory);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(memory) % huge_page_bytes;
  if (before != 0) ::munmap(bytes, before);
  ::munmap(bytes + before + byte_count, huge_page_bytes - before);
  return bytes + before;
}

/// Maps new pages at reserved addresses, or moves the pages of `old` there. Returns MAP_FAILED if that fails.
void* map_pages(void* place, std::size_t byte_count, void* old, std::size_t old_bytes) {
  if (old_bytes != 0) return ::mremap(old, old_bytes, byte_count, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  return ::mmap(place, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

}  // namespace

void* grow_array_memory(void* memory, std::size_t used, std::size_t old_bytes, std::size_t new_bytes) {
  if (!is_mapped(new_bytes)) {
    void* const grown = std::realloc(memory, new_bytes);
    if (grown == nullptr) throw std::bad_alloc();
    return grown;
  }
  const std::size_t rounded = round_up(new_bytes);
  const std::size_t old_pages = is_mapped(old_bytes) ? round_up(old_bytes) : 0;
  if (rounded == old_pages) return memory;
  void* const place = reserve_addresses(rounded);
  void* const grown = place == nullptr ? MAP_FAILED : map_pages(place, rounded, memory, old_pages);
  // In this case, the addresses are not released here: some kernels have already released them, and another
  // thread may be using them.
  if (grown == MAP_FAILED) throw std::bad_alloc();
  ::madvise(grown, rounded, MADV_HUGEPAGE);
  if (old_pages == 0 && used != 0) std::memcpy(grown, memory, used);
  if (old_pages == 0) std::free(memory);
  return grown;
}

void free_array_memory(void* memory, std::size_t byte_count) noexcept {
  if (is_mapped(byte_count)) {
    ::munmap(memory, round_up(byte_count));
  } else {
    std::free(memory);
  }
}

// Pages that have not been written take up no memory.
std::size_t next_capacity(std::size_t capacity) { return 2 * capacity; }

}  // namespace heapcheck::core
