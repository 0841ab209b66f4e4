#include "validate/chrome/legacy/view.hpp"

#include <algorithm>

namespace heapcheck::validation::chrome::legacy {

void HeapView::find_wholes() {
  caller.assign(entries.size(), nowhere);
  total.assign(entries.size(), nowhere);
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    const std::uint32_t node = entries[begin].node;
    while (end < entries.size() && entries[end].node == node) ++end;
    const bool has_total = entries[begin].type == 0;
    for (std::size_t i = has_total ? begin + 1 : end; i < end; ++i) total[i] = begin;
    if (node == 0) continue;
    const auto above = std::ranges::equal_range(entries, caller_of(node), {}, &EntryView::node);
    for (std::size_t i = begin; i < end; ++i) {
      const auto found = std::ranges::lower_bound(above, entries[i].type, {}, &EntryView::type);
      const bool is_there = found != above.end() && found->type == entries[i].type;
      if (is_there) caller[i] = static_cast<std::size_t>(found - entries.begin());
    }
  }
}

}  // namespace heapcheck::validation::chrome::legacy
