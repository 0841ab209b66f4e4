#include "convert/chrome/legacy/type_moves.hpp"

#include <algorithm>
#include <optional>

#include "formats/core/checked.hpp"

namespace heapcheck::conversion::chrome::legacy {
namespace {

/// Finds paths along which memory can move, like a maximum-flow algorithm: a cell takes memory from another
/// cell in a stack where both may have memory, that cell takes memory in another stack, and so on, up to a
/// stack that has a remainder.
class Mover {
 public:
  Mover(std::span<TypedStack> stacks, std::span<const std::uint32_t> types)
      : stacks_(stacks), types_(types), steps_(types.size()), round_of_(types.size(), 0) {
    for (std::uint32_t stack = 0; stack < stacks.size(); ++stack)
      owners_.resize(stacks[stack].end_cell, stack);
  }

  void resolve(Shortage& shortage) {
    for (std::uint64_t moved = 1; moved != 0 && shortage.amount != 0; shortage.amount -= moved) {
      start(shortage);
      moved = move(shortage);
    }
  }

 private:
  /// The cell that takes memory from this one, and the stack in which it does so.
  struct Step {
    std::uint32_t taker = no_cell;
    std::uint32_t stack = 0;
  };

  void start(const Shortage& shortage) {
    ++round_;
    queue_.assign(1, shortage.cell);
    round_of_[shortage.cell] = round_;
  }

  std::uint64_t move(const Shortage& shortage);
  std::optional<std::uint32_t> find_remainder(std::uint32_t cell, std::size_t axis);
  bool visit(std::uint32_t cell, std::uint32_t stack, std::size_t axis);
  std::uint64_t move_along(std::uint32_t cell, std::uint32_t stack, const Shortage& shortage);
  void exchange(std::uint32_t stack, std::uint32_t from, std::uint32_t to, std::size_t axis,
                std::uint64_t amount);
  [[nodiscard]] bool has_type(std::uint32_t stack, std::uint32_t type) const;
  std::uint64_t& value(std::uint32_t stack, std::uint32_t cell, std::size_t axis);

  std::span<TypedStack> stacks_;
  std::span<const std::uint32_t> types_;
  std::vector<std::uint32_t> owners_;    // by cell: its stack
  std::vector<Step> steps_;              // by cell
  std::vector<std::uint64_t> round_of_;  // by cell: the last round in which it was reached
  std::vector<std::uint32_t> queue_;
  std::uint64_t round_ = 0;
  std::uint64_t work_left_ = std::uint64_t{1} << 22;
};

bool Mover::has_type(std::uint32_t stack, std::uint32_t type) const {
  const auto first = types_.begin() + stacks_[stack].first_cell;
  const auto end = types_.begin() + stacks_[stack].end_cell;
  return std::binary_search(first, end, type);
}

std::uint64_t& Mover::value(std::uint32_t stack, std::uint32_t cell, std::size_t axis) {
  std::vector<TypeShare>& shares = stacks_[stack].shares;
  work_left_ -= std::min<std::uint64_t>(work_left_, shares.size());
  auto found = std::ranges::find(shares, cell, &TypeShare::cell);
  if (found == shares.end()) found = shares.insert(shares.end(), {.cell = cell, .values = {}});
  return found->values[axis];
}

void Mover::exchange(std::uint32_t stack, std::uint32_t from, std::uint32_t to, std::size_t axis,
                     std::uint64_t amount) {
  value(stack, from, axis) -= amount;
  value(stack, to, axis) += amount;
}

/// Moves memory along the shortest path. Returns the amount moved, or 0 if there is no path.
std::uint64_t Mover::move(const Shortage& shortage) {
  std::size_t next = 0;
  while (next < queue_.size()) {  // the queue grows in the loop
    const std::uint32_t cell = queue_[next++];
    if (const auto stack = find_remainder(cell, shortage.axis)) return move_along(cell, *stack, shortage);
  }
  return 0;
}

/// Looks for a remainder in the stacks in which the cell may have memory. These are its own stack and the
/// stacks below it that are not part of another stack with an entry of the same type.
std::optional<std::uint32_t> Mover::find_remainder(std::uint32_t cell, std::size_t axis) {
  const std::uint32_t owner = owners_[cell];
  for (std::uint32_t stack = owner; stack <= stacks_[owner].last; ++stack) {
    if (work_left_ == 0) return std::nullopt;
    --work_left_;
    if (stack != owner && has_type(stack, types_[cell])) {
      stack = stacks_[stack].last;
    } else if (visit(cell, stack, axis)) {
      return stack;
    }
  }
  return std::nullopt;
}

/// Returns whether the stack has a remainder. If not, adds the cells that have memory in it to the queue.
bool Mover::visit(std::uint32_t cell, std::uint32_t stack, std::size_t axis) {
  for (const TypeShare& share : stacks_[stack].shares) {
    work_left_ -= std::min<std::uint64_t>(work_left_, 1);
    if (share.values[axis] == 0) continue;
    if (share.cell == no_cell) return true;
    if (round_of_[share.cell] == round_) continue;
    round_of_[share.cell] = round_;
    steps_[share.cell] = {.taker = cell, .stack = stack};
    queue_.push_back(share.cell);
  }
  return false;
}

/// Moves the largest amount that all steps of the path allow. The path ends with the remainder of `stack`,
/// which `cell` takes.
std::uint64_t Mover::move_along(std::uint32_t cell, std::uint32_t stack, const Shortage& shortage) {
  std::uint64_t amount = std::min(shortage.amount, value(stack, no_cell, shortage.axis));
  for (std::uint32_t at = cell; at != shortage.cell; at = steps_[at].taker) {
    amount = std::min(amount, value(steps_[at].stack, at, shortage.axis));
  }
  exchange(stack, no_cell, cell, shortage.axis, amount);
  for (std::uint32_t at = cell; at != shortage.cell; at = steps_[at].taker) {
    exchange(steps_[at].stack, at, steps_[at].taker, shortage.axis, amount);
  }
  return amount;
}

}  // namespace

std::uint64_t resolve(std::span<Shortage> shortages, std::span<TypedStack> stacks,
                      std::span<const std::uint32_t> types) {
  Mover mover(stacks, types);
  std::uint64_t short_bytes = 0;
  for (Shortage& shortage : shortages) {
    mover.resolve(shortage);
    if (shortage.axis == 0) short_bytes = core::saturating_add(short_bytes, shortage.amount);
  }
  return short_bytes;
}

}  // namespace heapcheck::conversion::chrome::legacy
