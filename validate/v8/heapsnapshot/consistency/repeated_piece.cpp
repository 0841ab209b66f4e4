#include "validate/v8/heapsnapshot/consistency/repeated_piece.hpp"

#include <algorithm>
#include <string_view>

#include "formats/core/keyed_hash.hpp"
#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

using format::StringTable;

constexpr std::uint64_t long_run = 8;

/// The set of distinct strings seen so far, stored as indices.
class SeenStrings {
 public:
  explicit SeenStrings(const StringTable& strings) : strings_(&strings) {
    std::size_t slots = 16;
    while (slots < 2 * strings.count()) slots *= 2;
    slots_.resize(slots);
  }

  /// Adds the string with that index, and returns whether it is new.
  bool add(std::uint32_t index) {
    const std::string_view text = (*strings_)[index];
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = core::KeyedHash{}(text)&mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      if ((*strings_)[slots_[slot] - 1] == text) return false;
    }
    slots_[slot] = index + 1;
    return true;
  }

 private:
  const StringTable* strings_;
  std::vector<std::uint32_t> slots_;  // index + 1, or 0 if free
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

/// The number of strings after the last one that is used.
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
  for (std::uint32_t i = 0; i < strings.count(); ++i) {
    if (!seen.add(i)) repeated.push_back(i);
  }
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
