#include "recover/chrome/pieces.hpp"

#include <algorithm>

#include "formats/core/source.hpp"

namespace heapcheck::recovery::chrome {

void PieceList::keep(Span item) {
  if (has_gap_) {
    pieces_.push_back({needs_comma_ ? ",\n" : "", item});
  } else {
    extend(item.end());
  }
  has_gap_ = false;
  needs_comma_ = true;
}

void PieceList::add_quote(std::uint64_t offset) {
  pieces_.push_back({needs_comma_ ? ",\n\"" : "\"", {offset, 0}});
  has_gap_ = false;
  needs_comma_ = true;
}

void PieceList::close(std::uint64_t offset) {
  if (has_gap_) pieces_.push_back({"", {offset, 0}});
  extend(offset + 1);
  has_gap_ = false;
  needs_comma_ = true;
}

Result<std::size_t> PieceSource::read(core::MutableByteSpan buffer) {
  for (; !pieces_.empty(); pieces_ = pieces_.subspan(1), done_ = 0) {
    const auto& [text, span] = pieces_.front();
    if (done_ < text.size()) {
      const core::ByteSpan rest = core::as_bytes(text).subspan(done_);
      const std::size_t count = std::min(rest.size(), buffer.size());
      std::ranges::copy(rest.first(count), buffer.begin());
      done_ += count;
      return count;
    }
    const std::uint64_t done = done_ - text.size();
    if (done < span.length) return read_input({span.offset + done, span.length - done}, buffer);
  }
  return 0;
}

/// Reads the first bytes of `span`.
Result<std::size_t> PieceSource::read_input(Span span, core::MutableByteSpan buffer) {
  window_.skip(span.offset - window_.offset());
  const core::ByteSpan bytes = window_.peek(1);
  if (bytes.empty()) return std::unexpected(window_.error().value_or(core::make_changed().error()));
  const std::size_t count = std::min({bytes.size(), buffer.size(), static_cast<std::size_t>(span.length)});
  std::ranges::copy(bytes.first(count), buffer.begin());
  window_.consume(count);
  done_ += count;
  return count;
}

}  // namespace heapcheck::recovery::chrome
