#include "export/heapsnapshot/taken_ids.hpp"

#include <bit>

#include "formats/core/keyed_hash.hpp"

namespace heapcheck::exports::heapsnapshot {
namespace {

std::uint32_t step(std::uint32_t id) { return id == UINT32_MAX ? 1 : id + 2; }

}  // namespace

TakenIds::TakenIds(std::size_t count) : slots_(std::bit_ceil(2 * count + 1)), steps_left_(2 * count) {}

std::uint32_t TakenIds::take(std::uint32_t id) {
  std::size_t slot = find_slot(id);
  for (; slots_[slot] != 0; slot = find_slot(id)) id = next_after(slot);
  slots_[slot] = id;
  return id;
}

/// The slot of the id, or the free one where it belongs.
std::size_t TakenIds::find_slot(std::uint32_t id) const {
  std::size_t slot = core::KeyedHash{}(id) & (slots_.size() - 1);
  while (slots_[slot] != 0 && slots_[slot] != id) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

/// An id from which the search for a free one continues. Hashes of names collide only if somebody wants that.
/// Then many searches follow the same run of ids, which they shorten for later ones by jumping from each id
/// to the one after the next.
std::uint32_t TakenIds::next_after(std::size_t slot) {
  if (steps_left_ != 0) {
    --steps_left_;
    return step(slots_[slot]);
  }
  if (jumps_.empty()) jumps_.resize(slots_.size());
  const auto next_of = [this](std::size_t at) { return jumps_[at] != 0 ? jumps_[at] : step(slots_[at]); };
  const std::uint32_t next = next_of(slot);
  const std::size_t next_slot = find_slot(next);
  if (slots_[next_slot] != next) return next;
  return jumps_[slot] = next_of(next_slot);
}

}  // namespace heapcheck::exports::heapsnapshot
