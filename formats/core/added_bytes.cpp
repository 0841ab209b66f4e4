#include "formats/core/added_bytes.hpp"

#include <algorithm>

namespace heapcheck::core {
namespace {

constexpr std::uint64_t offsets_per_mark = 1024;
/// The memory for distances. They take one byte for every 120 to 350 bytes of a dump, so this is enough for 8
/// GB. Later offsets are treated as if no further bytes had been left out.
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr unsigned bits = 7;
constexpr std::uint8_t more = 1U << bits;

}  // namespace

void AddedBytes::add(std::uint64_t offset) {
  if (count_++ == 0) first_ = offset;
  if (distances_.size() >= most_bytes) return;
  std::uint64_t distance = offset - last_.offset;
  for (; distance >= more; distance >>= bits)
    distances_.push_back(static_cast<std::uint8_t>(distance % more) | more);
  distances_.push_back(static_cast<std::uint8_t>(distance));
  last_ = {offset, last_.count + 1, distances_.size()};
  if (last_.count % offsets_per_mark == 0) marks_.push_back(last_);
}

/// Moves on to the next byte that was left out. Returns whether there is one.
bool AddedBytes::advance(Mark& mark) const {
  if (mark.next == distances_.size()) return false;
  unsigned shift = 0;
  std::uint8_t byte = more;
  while ((byte & more) != 0) {
    byte = distances_[mark.next++];
    mark.offset += std::uint64_t{byte & (more - 1U)} << shift;
    shift += bits;
  }
  ++mark.count;
  return true;
}

std::uint64_t AddedBytes::to_file(std::uint64_t offset) const {
  const auto begin = marks_.begin() + 1;
  const auto after = std::ranges::partition_point(
      begin, marks_.end(), [offset](const Mark& mark) { return mark.offset < offset; });
  Mark mark = *(after - 1);
  std::uint64_t before = mark.count;
  while (advance(mark) && mark.offset < offset) before = mark.count;
  return offset + before;
}

std::uint64_t AddedBytes::from_file(std::uint64_t offset) const {
  // The byte left out at a mark is at mark.offset + mark.count - 1 in the file.
  const auto begin = marks_.begin() + 1;
  const auto after = std::ranges::partition_point(
      begin, marks_.end(), [offset](const Mark& mark) { return mark.offset + mark.count <= offset; });
  Mark mark = *(after - 1);
  std::uint64_t before = mark.count;
  while (advance(mark) && mark.offset + mark.count <= offset) before = mark.count;
  return offset - before;
}

}  // namespace heapcheck::core
