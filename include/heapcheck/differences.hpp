// Compares several snapshots, of one file or of several. Keeps their totals, but no graphs and no profiles.
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

/// The totals of several snapshots. Copies share them. Takes 24 bytes for each name and snapshot. Pointers to
/// rows are valid until the next snapshot is added.
class HEAPCHECK_API Differences {
 public:
  /// No snapshots.
  Differences();
  /// Adds the next snapshot. `of` is what to count, the same for all snapshots.
  void add(const Heap& heap, TopOf of);
  /// The same for allocations by call stack: `TopBy::retained` is the cumulative size.
  void add(const AllocationProfile& profile, AllocationsOf of);

  /// The rows that differ between snapshots. Those with the largest change of `by` from the first snapshot to
  /// the last come first, whether they grow or shrink.
  [[nodiscard]] std::vector<const Series*> find_changed(TopBy by) const;
  /// All rows. Those with the largest growth of `by` from the first snapshot to the last come first.
  [[nodiscard]] std::vector<const Series*> sort_by_growth(TopBy by) const;
  /// The rows that the condition holds for, in the order of their names. A condition without a type is about
  /// the whole heap, which is a row without a name.
  [[nodiscard]] std::vector<Series> find_violations(const Threshold& threshold) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// A condition such as `type="Foo": count > +1000` or `retained > 10%`. Errors: unsupported, if it cannot be
/// understood; the message says where and what is expected.
[[nodiscard]] HEAPCHECK_API Result<Threshold> parse_threshold(std::string_view text);

/// How the series ends compared with its start: by `by`, or if that is equal, by retained size, size and
/// count.
[[nodiscard]] HEAPCHECK_API Trend find_trend(const Series& series, TopBy by);

/// The number that `by` names.
[[nodiscard]] HEAPCHECK_API std::uint64_t value_of(const Totals& totals, TopBy by);

}  // namespace heapcheck
