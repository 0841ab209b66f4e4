#include "formats/mvmheap/description_notes.hpp"

#include <algorithm>

#include "formats/core/hot_loop.hpp"

namespace heapcheck::mvmheap {
namespace {

struct Extremes {
  std::uint32_t wrong = 0;
  std::int32_t largest_string = 0;
};

/// One pass without a branch. Signed comparison is what every vector unit has; descriptions of 2^31
/// and more count as wrong, and are looked at one by one then.
HEAPCHECK_HOT_LOOP Extremes find_extremes(const std::uint32_t* descriptions, std::size_t count) {
  Extremes extremes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t description = descriptions[i];
    const std::uint32_t kind = description & 3U;
    const auto if_string = static_cast<std::int32_t>(kind == 2U ? description : 0U);
    extremes.wrong |=
        (description >> 31U) | static_cast<std::uint32_t>(kind == 3U) |
        (static_cast<std::uint32_t>(kind == 0U) & static_cast<std::uint32_t>(description != 0U));
    extremes.largest_string = if_string > extremes.largest_string ? if_string : extremes.largest_string;
  }
  return extremes;
}

}  // namespace

void DescriptionNotes::update(const Column<std::uint32_t>& descriptions) {
  is_narrow_ = descriptions.is_narrow();
  if (!is_narrow_ || count_ >= descriptions.count()) return;
  const auto added = descriptions.narrow().subspan(static_cast<std::size_t>(count_));
  const Extremes extremes = find_extremes(added.data(), added.size());
  wrong_ |= extremes.wrong;
  largest_string_ = std::max(largest_string_, extremes.largest_string);
  count_ = descriptions.count();
}

bool DescriptionNotes::hold(std::uint64_t strings) const {
  constexpr unsigned kind_bits = 2;
  if (!is_narrow_ || wrong_ != 0) return false;
  return largest_string_ == 0 || static_cast<std::uint64_t>(largest_string_ >> kind_bits) < strings;
}

}  // namespace heapcheck::mvmheap
