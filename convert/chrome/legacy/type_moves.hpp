// Moves memory between the types of stacks if a type of a stack lacks memory that callees without an entry of
// this type must have. The input consists of the stacks of a heap that have entries, their types, and self
// values. The output consists of self values in which the total of each stack and of each type of a stack is
// unchanged, but fewer types lack memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heapcheck::conversion::chrome::legacy {

/// Bytes and objects.
using Values = std::array<std::uint64_t, 2>;

inline constexpr std::uint32_t no_cell = UINT32_MAX;

/// Some memory of a stack: either the memory of a type for which this stack or a stack that contains it has
/// an entry, or the remainder.
struct TypeShare {
  std::uint32_t cell = no_cell;  ///< the innermost entry of the type, or no_cell for the remainder
  Values values{};
};

/// A stack that has entries. Stacks are in the order of a walk from the callers to their callees.
struct TypedStack {
  std::uint32_t first_cell = 0;  ///< the first cell of its types, which are in ascending order
  std::uint32_t end_cell = 0;
  std::uint32_t last = 0;  ///< the last stack that contains this one, or itself
  std::vector<TypeShare> shares;
};

/// Memory that an entry of a type lacks.
struct Shortage {
  std::uint32_t cell = 0;
  std::size_t axis = 0;  ///< in Values
  std::uint64_t amount = 0;
};

/// Resolves shortages as far as possible in a limited time. `types` are the types of the cells. Returns the
/// number of bytes that are still missing.
std::uint64_t resolve(std::span<Shortage> shortages, std::span<TypedStack> stacks,
                      std::span<const std::uint32_t> types);

}  // namespace heapcheck::conversion::chrome::legacy
