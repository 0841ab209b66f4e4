// The changes from one snapshot to the next, and conditions on them, such as `type="Foo": count > +1000`
// (docs/asking.md). The input consists of the totals of one snapshot after another, so that no graph has to
// be kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/heap.hpp"
#include "heapcheck/types/answers.hpp"
#include "heapcheck/types/profile.hpp"
#include "heapcheck/types/result.hpp"

namespace heapcheck::analyze {

/// Adds the totals of the next snapshot, whose index in each series is `snapshot`. `rows` contains each
/// name and place at most once. `all` is sorted by name and place and remains sorted.
void add_snapshot(std::vector<Series>& all, std::uint64_t snapshot, std::vector<NodeTotals> rows);

/// The number that `by` selects.
[[nodiscard]] std::uint64_t value_of(const Totals& totals, TopBy by);

/// Compares the first and the last snapshot by `by` and, if these values are equal, by retained size, size
/// and count.
[[nodiscard]] Trend find_trend(const Series& series, TopBy by);

/// Pointers into `all`. Leaves out the series that are the same in all snapshots. Sorted by the change in
/// `by` from the first to the last snapshot, in either direction, largest first, then by the changes in
/// retained size, size and count, and then by name.
[[nodiscard]] std::vector<const Series*> find_changed(const std::vector<Series>& all, TopBy by);

/// Pointers into `all`, sorted by the growth in `by` from the first to the last snapshot, largest first, then
/// by the growth in retained size, size and count, and then by name.
[[nodiscard]] std::vector<const Series*> sort_by_growth(const std::vector<Series>& all, TopBy by);

/// Parses a condition. Errors: unsupported, with a message that names the word that was not understood, its
/// position, and the expected words.
[[nodiscard]] Result<Threshold> parse_threshold(std::string_view text);

/// The series for which the condition is true, in the same order. A condition that does not name a type
/// applies to `whole`. If no series in `all` has the name in the condition, the condition applies to the
/// functions with that name and, if there are none, to a series of zeros.
[[nodiscard]] std::vector<Series> find_violations(const std::vector<Series>& all,
                                                  const std::vector<Series>& functions, const Series& whole,
                                                  const Threshold& threshold);

/// The totals of several snapshots. Has the same functions as the public class (heapcheck/differences.hpp),
/// which describes them.
class Differences {
 public:
  /// Also counts closures by function in all snapshots that are added later, so that conditions can name
  /// functions.
  void count_functions() { counts_functions_ = true; }
  void add(const Heap& heap, TopOf of);
  void add(const AllocationProfile& profile, AllocationsOf of);

  [[nodiscard]] bool has_counts() const { return has_counts_; }
  [[nodiscard]] std::vector<const Series*> find_changed(TopBy by) const {
    return analyze::find_changed(rows_, by);
  }
  [[nodiscard]] std::vector<const Series*> sort_by_growth(TopBy by) const {
    return analyze::sort_by_growth(rows_, by);
  }
  [[nodiscard]] std::vector<Series> find_violations(const Threshold& threshold) const {
    return analyze::find_violations(rows_, functions_, whole_, threshold);
  }
  /// Whether any snapshot has a row, or a function, with that name.
  [[nodiscard]] bool has_name(std::string_view name) const;
  /// The names of all rows and functions.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  void add(std::vector<NodeTotals> rows, const NodeTotals& total);

  std::vector<Series> rows_;
  std::vector<Series> functions_;
  bool counts_functions_ = false;
  Series whole_;
  bool has_counts_ = true;
};

}  // namespace heapcheck::analyze
