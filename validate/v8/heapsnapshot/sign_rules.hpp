// The rule that only some numbers of a heap snapshot may be negative. Borrows the snapshot.
#pragma once

#include <array>
#include <optional>
#include <span>

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

/// The sections in which V8 writes negative numbers in place of those from 2^31 on.
inline constexpr std::array signed_sections{Section::edges, Section::trace_function_infos,
                                            Section::locations};

/// Notes the negative numbers in `sections`, once for each section.
void check_signed(const Snapshot& snapshot, std::span<const Section> sections, core::FindingSink& sink);

}  // namespace heapcheck::validation::v8::heapsnapshot
