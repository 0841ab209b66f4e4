#include "formats/mvmheap/description_notes.hpp"

#include <algorithm>
#include <bit>

#include "formats/core/hot_loop.hpp"

namespace heapcheck::mvmheap {
namespace {

constexpr int kind_bits = 2;
constexpr std::uint32_t indices = 1U << (32 - kind_bits);  // the number of indices per kind
constexpr std::uint32_t first_string = 2 * indices;

/// Makes a single pass without branches.
HEAPCHECK_HOT_LOOP DescriptionExtremes find_extremes(const std::uint32_t* descriptions, std::size_t count,
                                                     DescriptionExtremes extremes) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t turned = std::rotr(descriptions[i], kind_bits);
    extremes.largest = std::max(extremes.largest, turned);
    extremes.smallest_less_1 = std::min(extremes.smallest_less_1, turned - 1);
  }
  return extremes;
}

}  // namespace

void DescriptionNotes::update(const Column<std::uint32_t>& descriptions) {
  is_narrow_ = descriptions.is_narrow();
  if (!is_narrow_ || count_ >= descriptions.count()) return;
  const auto added = descriptions.narrow_from(count_);
  extremes_ = find_extremes(added.data(), added.size(), extremes_);
  count_ = descriptions.count();
}

bool DescriptionNotes::hold(std::uint64_t strings) const {
  constexpr std::uint32_t first_integer = 1 * indices;
  const bool is_index_without_kind = extremes_.smallest_less_1 < first_integer - 1;
  const bool is_string_known = extremes_.largest < first_string ||
                               extremes_.largest - first_string < std::min<std::uint64_t>(strings, indices);
  return is_narrow_ && !is_index_without_kind && is_string_known;
}

std::optional<std::uint64_t> DescriptionNotes::needed_strings() const {
  if (!is_narrow_ || extremes_.largest >= first_string + indices) return std::nullopt;
  return extremes_.largest < first_string ? 0 : extremes_.largest - first_string + 1;
}

}  // namespace heapcheck::mvmheap
