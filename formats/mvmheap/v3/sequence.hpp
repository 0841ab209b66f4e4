// The blocks that may come next, according to the order of the blocks in a part. spec: mvmheap/v3.md#order
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/mvmheap/v3/layout.hpp"

namespace heapcheck::mvmheap::v3 {

class Sequence {
 public:
  /// The kinds that may come next, in order; empty after the outer table of contents.
  [[nodiscard]] std::vector<BlockKind> expected() const;
  [[nodiscard]] bool allows(BlockKind kind) const;
  /// The only expected kind of this shape; empty if there is none or more than one.
  [[nodiscard]] std::optional<BlockKind> only_expected(BlockShape shape) const;
  /// The kind that belongs at the current place in the order; `unknown` after the inner table of contents.
  [[nodiscard]] BlockKind next_kind() const {
    return next_ >= Place::outer_toc ? BlockKind::unknown : static_cast<BlockKind>(next_);
  }
  /// Whether a block of `kind` belongs at the current place or at a later one.
  [[nodiscard]] bool is_ahead(BlockKind kind) const {
    return kind == BlockKind::toc ? !at_end() : kind != BlockKind::filemeta && kind >= next_kind();
  }
  /// Whether the current place is directly after a block of `kind`.
  [[nodiscard]] bool is_after(BlockKind kind) const {
    return kind < BlockKind::toc && static_cast<std::size_t>(next_) == static_cast<std::size_t>(kind) + 1;
  }
  /// Returns, for example, "snapmeta, strings or toc", for messages.
  [[nodiscard]] std::string describe_expected() const;

  /// Moves to the place after a block of `kind`, whether or not that kind was expected.
  void advance(BlockKind kind);
  /// Moves to the end of the part, even if more blocks were expected.
  void end() { next_ = Place::end; }

  [[nodiscard]] bool at_start() const { return next_ == Place::snapmeta; }
  [[nodiscard]] bool at_end() const { return next_ == Place::end; }
  /// Whether the next table of contents is the outer one.
  [[nodiscard]] bool at_outer_toc() const { return next_ == Place::outer_toc; }
  [[nodiscard]] bool has_snapshot() const { return has_snapshot_; }

 private:
  /// Places have the same numbers as their kinds, so that a kind can be converted to its place.
  enum class Place : std::uint8_t {
    snapmeta = static_cast<std::uint8_t>(BlockKind::snapmeta),
    strings = static_cast<std::uint8_t>(BlockKind::strings),
    reprname = static_cast<std::uint8_t>(BlockKind::reprname),
    sfname = static_cast<std::uint8_t>(BlockKind::sfname),
    top_ids = static_cast<std::uint8_t>(BlockKind::top_ids),
    inner_toc = static_cast<std::uint8_t>(BlockKind::toc),
    outer_toc,
    end,
  };

  [[nodiscard]] std::optional<Place> may_skip_to(Place place) const;

  Place next_ = Place::snapmeta;
  bool has_snapshot_ = false;
};

}  // namespace heapcheck::mvmheap::v3
