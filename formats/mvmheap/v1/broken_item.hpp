// Describes the fault in an unreadable item of a list. Works on borrowed text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {

struct BrokenItem {
  LineKind kind = LineKind::types;  ///< the kind of its list
  std::string path;                 ///< `/snapshots/0/references/7`
  std::string_view text;            ///< as it is in the file; only the beginning of an item that is too long
  std::uint64_t offset = 0;         ///< of its first byte
  bool is_too_long = false;
  std::optional<std::size_t> split;  ///< position of a line feed inside it
};

/// The largest value that a field can hold.
std::uint64_t limit_of(LineKind kind, std::size_t field);

/// Returns a finding of mvm1.line.split or mvm1.item.*. Its message is about the first field that is not a
/// number; if all fields are numbers, about a wrong count of fields; and if the count is right, about the
/// first number that is too large.
Finding describe(const BrokenItem& item);

}  // namespace heapcheck::mvmheap::v1
