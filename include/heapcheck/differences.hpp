// Compares several snapshots from one or more files. Keeps their totals, but not their graphs or profiles.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "heapcheck/heap.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/api.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck {

/// The totals of several snapshots. Copies share them. Uses 24 bytes for each name in each snapshot. Pointers
/// to rows are valid until the next snapshot is added.
class HEAPCHECK_API Differences {
 public:
  /// Starts with no snapshots.
  Differences();
  /// Adds the next snapshot. `of` selects the items to count and must be the same for all snapshots.
  void add(const Heap& heap, TopOf of);
  /// Does the same for allocations by call stack, where `TopBy::retained` means the cumulative size.
  void add(const AllocationProfile& profile, AllocationsOf of);

  /// Whether the counts are known in all snapshots. If not, all of them must be treated as unknown.
  [[nodiscard]] bool has_counts() const;

  /// The rows that differ between snapshots. They are sorted by the change in `by` from the first snapshot to
  /// the last, in either direction, largest first.
  [[nodiscard]] std::vector<const Series*> find_changed(TopBy by) const;
  /// All rows, sorted by how much `by` grows from the first snapshot to the last, with the largest growth
  /// first.
  [[nodiscard]] std::vector<const Series*> sort_by_growth(TopBy by) const;
  /// The rows that meet the condition, sorted by name. A condition without a type applies to the whole heap,
  /// which is represented by a row without a name.
  [[nodiscard]] std::vector<Series> find_violations(const Threshold& threshold) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Parses a condition such as `type="Foo": count > +1000` or `retained > 10%`. Errors: unsupported if it
/// cannot be parsed; the message states where parsing failed and what was expected there.
[[nodiscard]] HEAPCHECK_API Result<Threshold> parse_threshold(std::string_view text);

/// How the end of the series compares with its start. Compares `by` first and, if that is equal, the retained
/// size, the size and the count, in that order.
[[nodiscard]] HEAPCHECK_API Trend find_trend(const Series& series, TopBy by);

/// The number in `totals` selected by `by`.
[[nodiscard]] HEAPCHECK_API std::uint64_t value_of(const Totals& totals, TopBy by);

}  // namespace heapcheck
