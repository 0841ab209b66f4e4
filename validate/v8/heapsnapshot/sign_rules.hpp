// The rule that only some numbers of a heap snapshot may be negative. Borrows the snapshot.
#pragma once

#include <optional>

#include "validate/v8/heapsnapshot/cases.hpp"

namespace heapcheck::validation::v8::heapsnapshot {

/// The negative numbers of a section.
struct NegativeNumbers {
  std::uint64_t count = 0;
  std::uint64_t row = 0;   ///< the row of the first one
  std::size_t column = 0;  ///< its column
  std::int64_t value = 0;  ///< as it is in the file
};

/// The negative numbers of a section that can be checked; empty if there are none.
[[nodiscard]] std::optional<NegativeNumbers> find_negative(const Snapshot& snapshot, Section section);
/// The place of the first one.
[[nodiscard]] Location locate_first(const Snapshot& snapshot, Section section,
                                    const NegativeNumbers& numbers);

/// Notes the negative numbers that V8 writes in place of those from 2^31 on, once for each section.
void check_signed(const Snapshot& snapshot, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
