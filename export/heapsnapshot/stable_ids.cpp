#include "export/heapsnapshot/stable_ids.hpp"

#include <bit>
#include <cstddef>
#include <string_view>
#include <unordered_map>

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

/// The slot of the id, or the free slot where it belongs.
std::size_t TakenIds::find_slot(std::uint32_t id) const {
  std::size_t slot = core::KeyedHash{}(id) & (slots_.size() - 1);
  while (slots_[slot] != 0 && slots_[slot] != id) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

/// An id from which the search for a free id continues. Many hashes of names collide only if someone causes
/// this deliberately. In that case, many searches follow the same run of ids. They shorten the run for later
/// searches by storing a jump from each id to the one after the next.
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

namespace {

/// The finaliser of SplitMix64, which produces the same numbers in all runs. std::hash does not guarantee
/// this.
std::uint64_t mix(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ number >> 30U) * 0xBF58476D1CE4E5B9U;
  number = (number ^ number >> 27U) * 0x94D049BB133111EBU;
  return number ^ number >> 31U;
}

std::uint64_t mix(std::string_view text) {
  std::uint64_t state = text.size();
  for (const char letter : text) state = mix(state ^ static_cast<unsigned char>(letter));
  return state;
}

constexpr std::uint32_t root_id = 1;  // as in V8's snapshots

/// The hash of each node name, and the number of nodes of each kind and name so far.
class Ordinals {
 public:
  explicit Ordinals(const Graph& graph) : graph_(graph) {}

  std::uint64_t hash_of(std::uint32_t node) {
    const std::uint64_t key = std::uint64_t{graph_.node_name[node]} << 8U | graph_.node_kind[node];
    const auto [group, is_new] = groups_.try_emplace(key);
    if (is_new) group->second.hash = mix(graph_.node(node).name()) ^ mix(graph_.node(node).kind().name);
    return mix(group->second.hash + group->second.count++);
  }

 private:
  struct Group {
    std::uint64_t hash = 0;
    std::uint64_t count = 0;
  };
  const Graph& graph_;
  std::unordered_map<std::uint64_t, Group, core::KeyedHash> groups_;
};

}  // namespace

std::vector<std::uint32_t> make_stable_ids(const Graph& graph) {
  std::vector<std::uint32_t> ids;
  ids.reserve(graph.node_count());
  TakenIds taken(graph.node_count());
  Ordinals ordinals(graph);
  if (graph.node_count() != 0) ids.push_back(taken.take(root_id));
  for (std::uint32_t node = 1; node < graph.node_count(); ++node)
    ids.push_back(taken.take(static_cast<std::uint32_t>(ordinals.hash_of(node)) | 1U));
  return ids;
}

}  // namespace heapcheck::exports::heapsnapshot
