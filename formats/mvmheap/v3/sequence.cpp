#include "formats/mvmheap/v3/sequence.hpp"

#include <algorithm>

namespace heapcheck::mvmheap::v3 {

/// Where the order continues if the group of blocks that starts at `place` is left out.
std::optional<Sequence::Place> Sequence::may_skip_to(Place place) const {
  switch (place) {
    case Place::snapmeta:
      return Place::strings;  // a part without a snapshot
    case Place::strings:
      return Place::reprname;
    case Place::reprname:
      return Place::sfname;
    case Place::sfname:
      return Place::top_ids;
    case Place::top_ids:
      return has_snapshot_ ? std::nullopt : std::optional(Place::inner_toc);
    default:
      return std::nullopt;
  }
}

std::vector<BlockKind> Sequence::expected() const {
  if (at_end()) return {};
  std::vector<BlockKind> kinds_here;
  for (std::optional<Place> place = next_; place; place = may_skip_to(*place)) {
    if (*place == Place::top_ids && !has_snapshot_) continue;
    kinds_here.push_back(*place == Place::outer_toc ? BlockKind::toc : static_cast<BlockKind>(*place));
  }
  return kinds_here;
}

bool Sequence::allows(BlockKind kind) const { return std::ranges::count(expected(), kind) != 0; }

std::optional<BlockKind> Sequence::only_expected(BlockShape shape) const {
  std::optional<BlockKind> found;
  for (const BlockKind kind : expected()) {
    if (info_of(kind).shape != shape) continue;
    if (found) return std::nullopt;
    found = kind;
  }
  return found;
}

std::string Sequence::describe_expected() const {
  const auto list = expected();
  if (list.empty()) return "the next part";
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) text += i + 1 == list.size() ? " or " : ", ";
    text += name_of(list[i]);
  }
  return text;
}

void Sequence::advance(BlockKind kind) {
  if (kind >= BlockKind::snapmeta && kind <= BlockKind::reftrget) has_snapshot_ = true;
  if (kind == BlockKind::toc) {
    next_ = next_ == Place::outer_toc ? Place::end : Place::outer_toc;
  } else if (kind >= BlockKind::snapmeta && kind <= BlockKind::topscore) {
    next_ = static_cast<Place>(static_cast<std::uint8_t>(kind) + 1);
  }
}

}  // namespace heapcheck::mvmheap::v3
