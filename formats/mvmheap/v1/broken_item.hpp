// Says what is wrong with an item of a list that cannot be read. Works on borrowed text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {

struct BrokenItem {
  LineKind kind = LineKind::types;  ///< of its list
  std::string path;                 ///< `/snapshots/0/references/7`
  std::string_view text;            ///< as it stands there; the front of it, where it is too long
  std::uint64_t offset = 0;         ///< of its first byte
  bool is_too_long = false;
  std::optional<std::size_t> split;  ///< the place of a line feed in it
};

/// The largest value that a field holds.
std::uint64_t limit_of(LineKind kind, std::size_t field);

/// A finding of mvm1.line.split or of mvm1.item.*: the first field that is no number, else how many
/// fields there are, else the first that does not fit.
Finding describe(const BrokenItem& item);

}  // namespace heapcheck::mvmheap::v1
