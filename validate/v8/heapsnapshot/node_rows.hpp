// The rows of nodes to which positions in `nodes` refer, as in edges. They are computed without divisions.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace heapcheck::validation::v8::heapsnapshot {

/// Divides by the number of columns of `nodes`, for positions below 2^32. The low bits of the product with
/// the inverse of an odd number are the quotient if there is no remainder; otherwise, they are larger than
/// any quotient. Rotating them does the same for powers of two. From Hacker's Delight, "Test for zero
/// remainder after division by a constant".
class RowDivision {
 public:
  explicit RowDivision(std::uint32_t columns)
      : shift_(std::countr_zero(columns)), inverse_(columns >> shift_) {
    const std::uint32_t odd = columns >> shift_;
    for (int i = 0; i < 5; ++i)
      inverse_ *= 2 - odd * inverse_;  // each step doubles the number of correct bits
  }
  /// The row that begins at the position. If no row begins there, the result is at least 2^32 / columns.
  [[nodiscard]] std::uint32_t operator()(std::uint32_t position) const {
    return std::rotr(position * inverse_, shift_);
  }

 private:
  int shift_;
  std::uint32_t inverse_;
};

/// Replaces positions with the results of the division, and returns the largest of them, or 0 if there are
/// none. If it is a row, all positions are those of nodes.
std::uint32_t divide_positions(std::span<std::uint32_t> positions, RowDivision divide);

}  // namespace heapcheck::validation::v8::heapsnapshot
