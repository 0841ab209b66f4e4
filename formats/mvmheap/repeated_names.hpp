// Names that occur a second time because a part of the file was doubled. All later names then have indices
// that are too large.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/mvmheap/string_table.hpp"

namespace heapcheck::mvmheap {

/// The strings to remove, so that each string occurs once.
struct RepeatedNames {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Finds strings that repeat those directly before them, or those before one string that was pieced together
/// where the copy begins; that string is removed too. No real dump has the same string twice.
std::optional<RepeatedNames> find_repeated_names(const StringTable& strings);

/// Returns the table without these strings.
StringTable remove_names(const StringTable& strings, const RepeatedNames& names);

}  // namespace heapcheck::mvmheap
