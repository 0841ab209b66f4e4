#include "formats/chrome/values_ahead.hpp"

#include <algorithm>

#include "formats/core/hot_loop.hpp"

namespace heapcheck::chrome {
namespace {

constexpr std::string_view mark = ":{";
constexpr std::size_t block_bytes = 128;

/// Whether `:{` begins in the block. Also reads the byte after the block.
HEAPCHECK_HOT_LOOP bool has_mark(const std::uint8_t* block) {
  std::uint8_t found = 0;
  for (std::size_t i = 0; i < block_bytes; ++i)
    found |= static_cast<std::uint8_t>((block[i] == ':' ? 1 : 0) & (block[i + 1] == '{' ? 1 : 0));
  return found != 0;
}

/// The number of bytes before the first `:{` at or after `at`, or the number of all bytes if there is none.
std::size_t find_mark(core::ByteSpan bytes, std::size_t at) {
  while (bytes.size() - at > block_bytes && !has_mark(bytes.data() + at)) at += block_bytes;
  return std::min(core::as_text(bytes).find(mark, at), bytes.size());
}

/// Returns whether `before` ends with the key in quotes.
bool ends_with_key(std::string_view before, std::string_view key) {
  if (!before.ends_with('"')) return false;
  before.remove_suffix(1);
  if (!before.ends_with(key)) return false;
  before.remove_suffix(key.size());
  return before.ends_with('"');
}

}  // namespace

std::vector<FoundKey> find_keys(core::ByteSpan bytes, std::span<const std::string_view> keys,
                                std::size_t first) {
  std::vector<FoundKey> found;
  for (std::size_t at = find_mark(bytes, 0); at < bytes.size(); at = find_mark(bytes, at + 1)) {
    if (at == 0) {
      found.push_back({first, at});
      continue;
    }
    const std::string_view before = core::as_text(bytes.first(at));
    const auto key =
        std::ranges::find_if(keys, [&](std::string_view one) { return ends_with_key(before, one); });
    if (key != keys.end()) found.push_back({static_cast<std::size_t>(key - keys.begin()), at});
  }
  return found;
}

}  // namespace heapcheck::chrome
