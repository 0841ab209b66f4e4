#include "formats/core/transport/text_mode_source.hpp"

#include <algorithm>

namespace heapcheck::core {

/// Copies the first `usable` of `bytes` as far as they fit, and consumes them. Returns the number of bytes
/// copied.
std::size_t TextModeSource::copy(ByteSpan bytes, std::size_t usable, MutableByteSpan buffer) {
  const std::string_view text = as_text(bytes);
  std::size_t done = 0;
  std::size_t used = 0;
  while (used < usable && done < buffer.size()) {
    const std::size_t line_end = std::min(text.find("\r\n", used), usable);
    const std::size_t length = std::min(line_end - used, buffer.size() - done);
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(used), length,
                buffer.begin() + static_cast<std::ptrdiff_t>(done));
    done += length;
    used += length;
    offset_ += length;
    if (used != line_end || used == usable) continue;
    added_.add(offset_);
    ++used;
  }
  file_->consume(used);
  line_feeds_ += static_cast<std::uint64_t>(std::ranges::count(buffer.first(done), '\n'));
  return done;
}

Result<std::size_t> TextModeSource::read(MutableByteSpan buffer) {
  for (;;) {
    const ByteSpan bytes = file_->peek(2);
    if (bytes.empty() && file_->error()) return std::unexpected(*file_->error());
    if (bytes.empty()) return std::size_t{0};
    // The last byte may be a carriage return whose line feed comes with the next bytes.
    const std::size_t usable = std::max<std::size_t>(bytes.size() - 1, 1);
    if (const std::size_t done = copy(bytes, usable, buffer); done != 0) return done;
  }
}

}  // namespace heapcheck::core
