#include "formats/core/window.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heapcheck::core {

Window::Window(ByteSource& source, std::size_t capacity, std::uint64_t offset)
    : source_(&source), capacity_(capacity), buffer_(2 * capacity), offset_(offset) {}

ByteSpan Window::peek(std::size_t byte_count) {
  if (end_ - begin_ < byte_count) fill(std::min(byte_count, capacity_));
  return {buffer_.data() + begin_, end_ - begin_};
}

void Window::fill(std::size_t byte_count) {
  // The buffer is twice the capacity, so bytes move to its front once per capacity consumed rather than at
  // every step.
  if (buffer_.size() - begin_ < byte_count) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  while (!ended_ && end_ - begin_ < byte_count) {
    auto got = source_->read(MutableByteSpan(buffer_).subspan(end_));
    if (!got) error_ = std::move(got.error());
    ended_ = !got || *got == 0;
    if (!ended_) end_ += *got;
  }
}

void Window::consume(std::size_t byte_count) {
  byte_count = std::min(byte_count, end_ - begin_);
  begin_ += byte_count;
  offset_ += byte_count;
}

void Window::skip_in_search(std::size_t byte_count) {
  constexpr std::uint64_t line_end = 2;
  if (offset_ > search_end_ + line_end) searched_ = 0;
  const std::uint64_t start = offset_;
  consume(byte_count);
  search_end_ = offset_;
  searched_ += offset_ - start;
  if (searched_ < max_search || gave_up_) return;
  begin_ = end_;
  ended_ = gave_up_ = true;
  error_ = {ErrorKind::limit,
            fmt::format("found nothing to read in {} bytes, expected at most {}", searched_, max_search)};
}

std::uint64_t Window::skip_to_end() {
  const std::uint64_t start = offset_;
  while (!at_end()) skip_in_search(peek(1).size());
  return offset_ - start;
}

std::uint64_t Window::skip(std::uint64_t byte_count) {
  std::uint64_t skipped = 0;
  while (skipped < byte_count) {
    const std::size_t here = peek(1).size();
    if (here == 0) break;
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(here, byte_count - skipped));
    consume(step);
    skipped += step;
  }
  return skipped;
}

}  // namespace heapcheck::core
