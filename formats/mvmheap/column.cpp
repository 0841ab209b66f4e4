#include "formats/mvmheap/column.hpp"

#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/core/hot_loop.hpp"

namespace heapcheck::mvmheap {
namespace {

/// A summary of values that were copied into type T.
template <class T>
struct Extent {
  std::uint64_t bits;  // the bits that are set in at least one value
  T largest;           // the largest value, if all values fit in T

  [[nodiscard]] bool fits() const { return bits <= std::numeric_limits<T>::max(); }
};

/// Converts values of type Entry to type T. The loop has no branches, so that it runs at memory speed.
template <class T, class Entry, class Get>
[[gnu::always_inline]] inline Extent<T> narrow_all(std::size_t count, T* out, const Get& get) {
  Entry bits = 0;
  T largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Entry value = get(i);
    bits = static_cast<Entry>(bits | value);
    out[i] = static_cast<T>(value);
    largest = std::max(largest, out[i]);
  }
  return {bits, largest};
}

template <class T, class Entry>
[[gnu::always_inline]] inline Extent<T> narrow_entries(const std::uint8_t* entries, std::size_t count,
                                                       T* out) {
  return narrow_all<T, Entry>(
      count, out, [entries](std::size_t i) { return core::decode_le<Entry>(entries + i * sizeof(Entry)); });
}

/// The three cases that occur in MoarVM's columns. Most of the time is spent here.
HEAPCHECK_HOT_LOOP Extent<std::uint16_t> narrow_words(const std::uint8_t* entries, std::size_t count,
                                                      std::uint16_t* out) {
  return narrow_entries<std::uint16_t, std::uint16_t>(entries, count, out);
}
HEAPCHECK_HOT_LOOP Extent<std::uint32_t> narrow_doubles(const std::uint8_t* entries, std::size_t count,
                                                        std::uint32_t* out) {
  return narrow_entries<std::uint32_t, std::uint32_t>(entries, count, out);
}
HEAPCHECK_HOT_LOOP Extent<std::uint32_t> narrow_quads(const std::uint8_t* entries, std::size_t count,
                                                      std::uint32_t* out) {
  return narrow_entries<std::uint32_t, std::uint64_t>(entries, count, out);
}

/// The same for values that have already been decoded.
HEAPCHECK_HOT_LOOP Extent<std::uint16_t> narrow_decoded(const std::uint64_t* values, std::size_t count,
                                                        std::uint16_t* out) {
  return narrow_all<std::uint16_t, std::uint64_t>(count, out, [values](std::size_t i) { return values[i]; });
}
HEAPCHECK_HOT_LOOP Extent<std::uint32_t> narrow_decoded(const std::uint64_t* values, std::size_t count,
                                                        std::uint32_t* out) {
  return narrow_all<std::uint32_t, std::uint64_t>(count, out, [values](std::size_t i) { return values[i]; });
}

template <class T>
Extent<T> narrow_values(core::ByteSpan entries, unsigned entry_bytes, T* out) {
  const std::size_t count = entries.size() / entry_bytes;
  if constexpr (sizeof(T) == 2) {
    if (entry_bytes == 2) return narrow_words(entries.data(), count, out);
  }
  if constexpr (sizeof(T) == 4) {
    if (entry_bytes == 4) return narrow_doubles(entries.data(), count, out);
    if (entry_bytes == 8) return narrow_quads(entries.data(), count, out);
  }
  if (entry_bytes == 2) return narrow_entries<T, std::uint16_t>(entries.data(), count, out);
  if (entry_bytes == 4) return narrow_entries<T, std::uint32_t>(entries.data(), count, out);
  return narrow_entries<T, std::uint64_t>(entries.data(), count, out);
}

template <class T>
Extent<T> narrow_values(std::span<const std::uint64_t> values, T* out) {
  return narrow_decoded(values.data(), values.size(), out);
}

}  // namespace

template <std::unsigned_integral T>
void Column<T>::append(core::ByteSpan entries, unsigned entry_bytes) {
  const std::size_t added = entries.size() / entry_bytes;
  if (is_narrow_) {
    const std::size_t first = narrow_.size();
    narrow_.resize(first + added);
    const Extent<T> extent = narrow_values(entries, entry_bytes, narrow_.data() + first);
    bound_ = std::max(bound_, extent.largest);
    if (extent.fits()) return;
    narrow_.resize(first);
    widen();
  }
  const std::size_t first = wide_.size();
  wide_.resize(first + added);
  narrow_values(entries, entry_bytes, wide_.data() + first);
}

template <std::unsigned_integral T>
void Column<T>::append(std::span<const std::uint64_t> values) {
  if (is_narrow_) {
    const std::size_t first = narrow_.size();
    narrow_.resize(first + values.size());
    const Extent<T> extent = narrow_values(values, narrow_.data() + first);
    bound_ = std::max(bound_, extent.largest);
    if (extent.fits()) return;
    narrow_.resize(first);
    widen();
  }
  wide_.append(values);
}

template <std::unsigned_integral T>
void Column<T>::widen() {
  wide_.clear();
  wide_.append(std::span<const T>(narrow_));
  narrow_ = {};
  is_narrow_ = false;
}

template class Column<std::uint16_t>;
template class Column<std::uint32_t>;

}  // namespace heapcheck::mvmheap
