#include "validate/chrome/legacy/view.hpp"

#include <algorithm>

namespace heapcheck::validation::chrome::legacy {

void HeapView::find_wholes() {
  const auto count = static_cast<std::uint32_t>(entries.size());
  renew(caller, count);
  renew(total, count);
  std::ranges::fill(caller, nowhere);
  std::ranges::fill(total, nowhere);
  std::vector<std::uint32_t>& first = process->first_entry;
  first.resize(process->forest.parent.size() + 1, nowhere);
  for (std::uint32_t i = count; i-- > 0;) first[entries[i].node] = i;
  for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && entries[end].node == entries[begin].node) ++end;
    find_wholes_of(begin, end);
  }
  for (const EntryView& entry : entries) first[entry.node] = nowhere;
}

/// Fills in the columns for the entries of one node.
void HeapView::find_wholes_of(std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t node = entries[begin].node;
  if (entries[begin].type == 0) std::fill(total.begin() + begin + 1, total.begin() + end, begin);
  if (node == 0) return;
  const std::uint32_t above = caller_of(node);
  std::uint32_t whole = process->first_entry[above];
  for (std::uint32_t i = begin; i < end && whole != nowhere; ++i) {
    const std::uint64_t key = EntryView{.node = above, .type = entries[i].type}.key();
    whole = seek(whole, key);
    if (whole != nowhere && entries[whole].key() == key) caller[i] = whole;
  }
}

/// The first entry at or after `entry` whose key is not below `key`; nowhere if there is none. It is usually
/// close to `entry`.
std::uint32_t HeapView::seek(std::uint32_t entry, std::uint64_t key) const {
  constexpr std::size_t near = 8;
  const std::size_t near_end = std::min(entries.size(), entry + near);
  std::size_t at = entry;
  while (at < near_end && entries[at].key() < key) ++at;
  if (at == near_end) {
    const auto rest = entries.begin() + static_cast<std::ptrdiff_t>(at);
    const auto found = std::ranges::lower_bound(rest, entries.end(), key, {}, &EntryView::key);
    at = static_cast<std::size_t>(found - entries.begin());
  }
  return at == entries.size() ? nowhere : static_cast<std::uint32_t>(at);
}

}  // namespace heapcheck::validation::chrome::legacy
