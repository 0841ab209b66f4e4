#include "validate/v8/heapsnapshot/consistency/consistency_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "formats/core/keyed_hash.hpp"
#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

using format::StringTable;

constexpr std::uint64_t long_run = 8;

/// The set of distinct strings seen so far, stored as indices. An empty slot is 0. A used slot contains the
/// index plus 1 in its low bits and bits of the hash above them, so that different strings are hardly ever
/// compared.
class SeenStrings {
 public:
  explicit SeenStrings(const StringTable& strings)
      : strings_(&strings), index_bits_(static_cast<unsigned>(std::bit_width(strings.count()))) {
    slots_.resize(std::bit_ceil(std::max<std::size_t>(16, 2 * static_cast<std::size_t>(strings.count()))));
  }

  /// Adds consecutive strings, and appends the ones that are not new to `repeated`.
  void add(std::uint32_t first, std::uint32_t count, std::vector<std::uint32_t>& repeated) {
    // The slots of a group of strings are prefetched from memory while other strings are hashed.
    std::array<std::uint64_t, group> hashes;
    for (std::uint32_t i = 0; i < count; ++i) {
      hashes[i] = core::KeyedHash{}((*strings_)[first + i]);
      __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)], 1);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!add(first + i, hashes[i])) repeated.push_back(first + i);
    }
  }

  static constexpr std::uint32_t group = 32;  ///< the largest number of strings added at once

 private:
  /// Returns whether the string is new.
  bool add(std::uint32_t index, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t index_mask = (std::uint64_t{1} << index_bits_) - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32U << index_bits_);
    std::size_t slot = hash & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const std::uint64_t other = slots_[slot] & index_mask;
      if ((slots_[slot] ^ other) == tag && (*strings_)[other - 1] == (*strings_)[index]) return false;
    }
    slots_[slot] = tag | (index + 1);
    return true;
  }

  const StringTable* strings_;
  unsigned index_bits_;
  std::vector<std::uint32_t> slots_;
};

StringRun find_longest_run(const std::vector<std::uint32_t>& indices) {
  StringRun longest;
  StringRun run;
  for (const std::uint32_t index : indices) {
    if (run.count == 0 || index != run.first + run.count) run = {index, 0};
    ++run.count;
    if (run.count > longest.count) longest = run;
  }
  return longest;
}

/// The number of strings after the last used one.
std::uint64_t count_unused(const Snapshot& snapshot) {
  const std::uint64_t count = snapshot.strings.table.count();
  std::uint64_t used = 0;
  for_each_name_from(snapshot, 0, [&](const Field&, std::uint64_t, std::uint64_t name) {
    used = std::max(used, std::min(name, count - 1) + 1);
  });
  return count - used;
}

}  // namespace

std::vector<std::uint32_t> find_repeated_strings(const StringTable& strings) {
  std::vector<std::uint32_t> repeated;
  SeenStrings seen(strings);
  const auto count = static_cast<std::uint32_t>(strings.count());
  for (std::uint32_t first = 0; first < count; first += SeenStrings::group)
    seen.add(first, std::min(SeenStrings::group, count - first), repeated);
  return repeated;
}

std::optional<StringRun> find_repeated_piece(const Snapshot& snapshot,
                                             const std::vector<std::uint32_t>& repeated) {
  const StringRun run = find_longest_run(repeated);
  // The strings at both ends of the piece may have been cut in two.
  if (run.count < long_run || count_unused(snapshot) < run.count) return std::nullopt;
  return run;
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
