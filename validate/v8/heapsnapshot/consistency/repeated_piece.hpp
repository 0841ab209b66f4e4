// Finds a piece of the string table that is in the file twice. Borrows the snapshot.
// spec: v8/heapsnapshot.md#consistency
#pragma once

#include <optional>
#include <vector>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {

/// Strings one after the other that all occur earlier.
struct StringRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The indices of all strings that equal an earlier one, of fewer than 2^32 - 1 strings.
[[nodiscard]] std::vector<std::uint32_t> find_repeated_strings(const format::StringTable& strings);

/// The longest run of repeated strings, given the indices of all strings that equal an earlier one, if it
/// shows that a piece of the table was written twice: it is long, and the last strings, about as many, are
/// not used. Writers that do not look for equal strings use all of them.
[[nodiscard]] std::optional<StringRun> find_repeated_piece(const Snapshot& snapshot,
                                                           const std::vector<std::uint32_t>& repeated);

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
