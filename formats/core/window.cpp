#include "formats/core/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace heapcheck::core {

Window::Window(ByteSource& source, std::size_t capacity, std::uint64_t offset)
    : source_(&source),
      capacity_(capacity),
      buffer_bytes_(2 * std::min(capacity, default_capacity)),
      offset_(offset) {
  buffer_ = std::make_unique_for_overwrite<std::uint8_t[]>(buffer_bytes_);
}

ByteSpan Window::peek(std::size_t byte_count) {
  if (end_ - begin_ < byte_count) fill(std::min(byte_count, capacity_));
  if (failure_ && end_ - begin_ < std::min(byte_count, capacity_)) error_ = std::exchange(failure_, {});
  return {buffer_.get() + begin_, end_ - begin_};
}

ByteSpan Window::look_ahead(std::size_t byte_count) {
  byte_count = std::min(byte_count, capacity_);
  if (end_ - begin_ < byte_count) fill(byte_count);
  return {buffer_.get() + begin_, std::min(byte_count, end_ - begin_)};
}

void Window::fill(std::size_t byte_count) {
  make_room(byte_count);
  byte_count = std::min(byte_count, capacity_);
  while (!ended_ && end_ - begin_ < byte_count) {
    // This is only slightly more than needed, so that the bytes are still in the cache when they are used.
    const std::size_t wanted = std::max(byte_count - (end_ - begin_), 2 * default_capacity);
    auto got = source_->read({buffer_.get() + end_, std::min(wanted, buffer_bytes_ - end_)});
    if (!got) failure_ = std::move(got.error());
    ended_ = !got || *got == 0;
    if (!ended_) end_ += *got;
  }
}

/// Makes room for `byte_count` bytes that start at the current position. Moves the bytes to the front of the
/// buffer, but only rarely rather than at every step. If the bytes do not fit, moves them to a much larger
/// buffer, so that this only happens a few times. The unused part of that buffer takes up hardly any memory.
void Window::make_room(std::size_t byte_count) {
  const std::size_t left = end_ - begin_;
  if (buffer_bytes_ - begin_ >= byte_count && begin_ < std::max(default_capacity, 4 * left)) return;
  std::unique_ptr<std::uint8_t[]> larger;
  if (byte_count > buffer_bytes_) {
    const std::size_t size = std::min(4 * byte_count, capacity_ + capacity_ / 2) + 2 * default_capacity;
    larger.reset(new (std::nothrow) std::uint8_t[size]);
    (larger ? buffer_bytes_ : capacity_) = larger ? size : buffer_bytes_ / 2;
  }
  std::copy_n(buffer_.get() + begin_, left, larger ? larger.get() : buffer_.get());
  if (larger) buffer_ = std::move(larger);
  end_ = left;
  begin_ = 0;
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
  error_ = {ErrorKind::limit, fmt::format("found {} bytes in which nothing can be read, expected at most {}",
                                          searched_, max_search)};
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
