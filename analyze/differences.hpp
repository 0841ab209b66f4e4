// What changes from one snapshot to the next, and conditions about that, such as `type="Foo": count > +1000`
// (docs/asking.md). In: the totals of each snapshot, one after the other, so that no graph is kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyze/heap.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// Adds the totals of the next snapshot, which is the one with the index `snapshot` in each series. `rows`
/// has each name at most once. `all` is, and remains, in the order of the names.
void add_snapshot(std::vector<Series>& all, std::uint64_t snapshot, std::vector<NodeTotals> rows);

/// The number that `by` names.
[[nodiscard]] std::uint64_t value_of(const Totals& totals, TopBy by);

/// Compares the first and the last snapshot by `by`; where that is equal, by retained size, size and count.
[[nodiscard]] Trend find_trend(const Series& series, TopBy by);

/// Pointers into `all`. Leaves out the series that are the same in all snapshots. The largest change of `by`
/// from the first to the last snapshot comes first, whether up or down; then that of retained size, size and
/// count; then names are in order.
[[nodiscard]] std::vector<const Series*> find_changed(const std::vector<Series>& all, TopBy by);

/// Pointers into `all`, sorted by the growth of `by` from the first to the last snapshot, largest first, then
/// by that of retained size, size and count, then by name.
[[nodiscard]] std::vector<const Series*> sort_by_growth(const std::vector<Series>& all, TopBy by);

/// Errors: unsupported; the message names the word that is not understood, its place, and what is expected.
[[nodiscard]] Result<Threshold> parse_threshold(std::string_view text);

/// The series that the condition holds for, in the same order: `whole` if it names no type. If it names a
/// type that none of `all` has, it is about a series of zeros.
[[nodiscard]] std::vector<Series> find_violations(const std::vector<Series>& all, const Series& whole,
                                                  const Threshold& threshold);

/// The totals of several snapshots. Has the functions of the public class (heapcheck/differences.hpp), which
/// describes them.
class Differences {
 public:
  void add(const Heap& heap, TopOf of) { add(heap.top(of, TopBy::size), heap.total()); }
  void add(const AllocationProfile& profile, AllocationsOf of);

  [[nodiscard]] std::vector<const Series*> find_changed(TopBy by) const {
    return analyze::find_changed(rows_, by);
  }
  [[nodiscard]] std::vector<const Series*> sort_by_growth(TopBy by) const {
    return analyze::sort_by_growth(rows_, by);
  }
  [[nodiscard]] std::vector<Series> find_violations(const Threshold& threshold) const {
    return analyze::find_violations(rows_, whole_, threshold);
  }

 private:
  void add(std::vector<NodeTotals> rows, const NodeTotals& total);

  std::vector<Series> rows_;
  Series whole_;
};

}  // namespace heapcheck::analyze
