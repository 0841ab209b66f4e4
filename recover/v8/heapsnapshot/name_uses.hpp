// What the rows that use a name first tell about its text, for finding out which string it is after strings
// were lost. V8 numbers a name when it first uses it. spec: v8/heapsnapshot.md#recovery
#pragma once

#include <cstdint>
#include <vector>

#include "recover/v8/heapsnapshot/rebuild.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {

/// How a name is used first.
struct NameUse {
  /// A number for the type of the node or edge, and for whether the name before it was first used by the edge
  /// before it. 0 if unknown.
  std::uint32_t kind = 0;
  std::uint32_t text_size = 0;  ///< the size of the object in bytes, if it is a string with that text
  bool is_next = false;         ///< whether the name before it was first used by the edge before it
};

/// The number of names, if nodes and edges number them as V8 does: 1 more than the largest one that follows
/// the one before it. Single wrong names have no effect.
[[nodiscard]] std::uint64_t count_names(const Snapshot& snapshot);

struct NameUses {
  std::vector<NameUse> names;
  std::uint32_t kind_count = 1;
};

/// The first uses of the names below `count`, by name. Nodes and edges must be sound.
[[nodiscard]] NameUses find_name_uses(const Snapshot& snapshot, std::uint64_t count);

}  // namespace heapcheck::recovery::v8::heapsnapshot
