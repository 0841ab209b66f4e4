#include "formats/mvmheap/v3/string_heap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/codec.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v3/grammar.hpp"

namespace heapcheck::mvmheap::v3 {
namespace {

constexpr std::size_t length_bytes = sizeof(std::uint32_t);

/// Facts about the strings read so far, which are used when a wrong length is noticed.
struct Trail {
  std::uint64_t count = 0;
  Span last_length;  ///< the place of the length of the last string read
  std::uint64_t nul_index = 0;
  std::optional<Span> nul_length;  ///< the place of the length of the first string that includes another
                                   ///< string's length
};

/// A string whose length is too large includes the next length, which contains NUL bytes. If a length is too
/// small, text is read as the next length, and reading fails immediately. Therefore, the fault is in the
/// first string that contains a NUL or, if there is none, in the last string read.
FramingError blame(const Trail& trail, std::string message) {
  if (trail.nul_length) return {trail.nul_index, *trail.nul_length, std::move(message)};
  return {trail.count == 0 ? 0 : trail.count - 1, trail.last_length, std::move(message)};
}

/// Calls `use` with the text of each string.
template <class Use>
std::optional<FramingError> walk(core::ByteSpan content, Use&& use) {
  Trail trail;
  std::size_t at = 0;
  while (at < content.size()) {
    const auto length = grammar::string_length(content.subspan(at));
    const std::size_t rest = content.size() - at - std::min(content.size() - at, length_bytes);
    if (!length || *length > rest) {
      if (trail.count == 0) trail.last_length = {at, length_bytes};
      return blame(trail, length ? fmt::format("lengths yield a string of {}, expected at most {}",
                                               core::counted(*length, "byte"), rest)
                                 : fmt::format("lengths leave {} at the end, expected none",
                                               core::counted(content.size() - at, "byte")));
    }
    const auto text = content.subspan(at + length_bytes, *length);
    trail.last_length = {at, length_bytes};
    // Names do not contain NULs, so the text includes the length of another string.
    if (!trail.nul_length && std::ranges::count(text, 0) != 0) {
      trail.nul_length = trail.last_length;
      trail.nul_index = trail.count;
    }
    ++trail.count;
    use(core::as_text(text));
    at += length_bytes + *length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FramingError> read_string_heap(core::ByteSpan content, StringTable& table) {
  if (auto error = walk(content, [](std::string_view) {})) return error;
  return walk(content, [&table](std::string_view text) { table.add(text); });
}

std::vector<std::uint8_t> encode_string_heap(const StringTable& table, std::uint64_t first,
                                             std::uint64_t last) {
  std::vector<std::uint8_t> content;
  for (std::uint64_t i = first; i < last; ++i) {
    const std::string_view text = table[StringIndex{i}];
    core::encode_le(static_cast<std::uint32_t>(text.size()), content);
    content.insert(content.end(), text.begin(), text.end());
  }
  return content;
}

}  // namespace heapcheck::mvmheap::v3
