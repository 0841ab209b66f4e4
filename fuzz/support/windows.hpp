// Shared by the windows targets: reading an input at once, in pieces and through windows of different sizes
// has the same result. Each target compares the results of its format's reader.
#pragma once

#include <algorithm>
#include <utility>

#include "formats/core/codec.hpp"
#include "formats/core/window.hpp"
#include "fuzz/support/inputs.hpp"
#include "validate/collector.hpp"

namespace heapcheck::fuzz {

inline bool same_finding(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.location.file == b.location.file && a.location.content == b.location.content &&
         a.location.path == b.location.path && a.message == b.message;
}

/// How a reader behaves with windows smaller than the default.
enum class SmallWindows : std::uint8_t {
  none,     ///< such windows are too small for the reader
  shorter,  ///< the result depends on the window, but not on how the bytes arrive
  equal,    ///< the result is the same
};

/// `read` takes a window and a sink; `require_same` compares two of its results. The last two bytes choose
/// the size of the pieces, and are also read as part of the input.
template <class Read, class RequireSame>
void require_windows_agree(core::ByteSpan bytes, SmallWindows small_windows, Read&& read,
                           RequireSame&& require_same) {
  if (bytes.size() < 2) return;
  constexpr std::size_t capacity = core::Window::default_capacity;
  constexpr std::size_t least_capacity = 64;
  constexpr std::size_t short_sight = 1024;
  const auto read_through = [&](std::size_t piece, std::size_t window_capacity) {
    core::MemorySource source(bytes, piece);
    core::Window window(source, window_capacity);
    validation::Collector collector(1000);
    auto outcome = read(window, collector);
    return std::pair(std::move(outcome), collector.take_findings());
  };
  const std::size_t piece = 1 + core::decode_le<std::uint16_t>(bytes.data() + bytes.size() - 2) % 1000;
  const auto whole = read_through(SIZE_MAX, capacity);
  const auto require_equal = [&](const auto& one, const auto& other) {
    require(std::ranges::equal(one.second, other.second, same_finding), "the findings are the same");
    require_same(one.first, other.first);
  };
  const auto compare = [&](const auto& other) { require_equal(whole, other); };
  if (bytes.size() > long_input) return compare(read_through(piece, 4 * capacity));
  compare(read_through(piece, capacity));
  compare(read_through(SIZE_MAX, 4 * capacity));
  if (small_windows == SmallWindows::none) return;
  if (small_windows == SmallWindows::shorter)
    return require_equal(read_through(SIZE_MAX, short_sight), read_through(piece, short_sight));
  compare(read_through(SIZE_MAX, least_capacity));
  compare(read_through(piece, least_capacity + piece));
}

}  // namespace heapcheck::fuzz
