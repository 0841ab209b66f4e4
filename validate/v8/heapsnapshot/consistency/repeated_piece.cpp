#include "validate/v8/heapsnapshot/consistency/repeated_piece.hpp"

#include <algorithm>

#include "validate/v8/heapsnapshot/names.hpp"

namespace heapcheck::validation::v8::heapsnapshot::consistency {
namespace {

constexpr std::uint64_t long_run = 8;

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

std::optional<StringRun> find_repeated_piece(const Snapshot& snapshot,
                                             const std::vector<std::uint32_t>& repeated) {
  const StringRun run = find_longest_run(repeated);
  // The strings at both ends of the piece may have been cut in two.
  if (run.count < long_run || count_unused(snapshot) < run.count) return std::nullopt;
  return run;
}

}  // namespace heapcheck::validation::v8::heapsnapshot::consistency
