// Replaces the function with which wasi-libc's malloc() gets more memory. Each time, engines make a new
// buffer of the whole size, and V8 then also collects garbage, so the memory must grow in few steps.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t page_bytes = 65536;
constexpr std::size_t least_pages = 16;
/// The part of the memory that is added at least.
constexpr std::size_t added_part = 32;

/// Adds at least so many pages. Returns whether that worked.
bool add_pages(std::size_t count) {
  const std::size_t more = std::max({count, least_pages, __builtin_wasm_memory_size(0) / added_part});
  return __builtin_wasm_memory_grow(0, more) != SIZE_MAX || __builtin_wasm_memory_grow(0, count) != SIZE_MAX;
}

}  // namespace

extern "C" void* sbrk(std::intptr_t increment) {
  static std::size_t used_pages = __builtin_wasm_memory_size(0);
  const std::size_t wanted = static_cast<std::size_t>(increment) / page_bytes;
  const std::size_t rest = __builtin_wasm_memory_size(0) - used_pages;
  if (increment < 0 || (wanted > rest && !add_pages(wanted - rest))) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);  // NOLINT(performance-no-int-to-ptr): sbrk() is defined so
  }
  const std::size_t first_page = used_pages;
  used_pages += wanted;
  return reinterpret_cast<void*>(first_page * page_bytes);  // NOLINT(performance-no-int-to-ptr)
}
