#include "heapcheck/differences.hpp"

#include <utility>

#include "analyze/differences.hpp"
#include "analyze/stacks/totals.hpp"
#include "analyze/thresholds.hpp"

namespace heapcheck {

void Differences::add(const Heap& heap, TopOf of) { add(heap.top(of, TopBy::size), heap.total()); }

void Differences::add(const AllocationProfile& profile, AllocationsOf of) {
  add(analyze::count_allocations(profile, of, TopBy::size), analyze::count_all(profile));
}

void Differences::add(std::vector<NodeTotals> rows, const NodeTotals& total) {
  analyze::add_snapshot(rows_, whole_.totals.size(), std::move(rows));
  whole_.totals.push_back({.count = total.count, .size = total.size, .retained = total.retained});
}

std::vector<const Series*> Differences::find_changed(TopBy by) const {
  return analyze::find_changed(rows_, by);
}

std::vector<const Series*> Differences::sort_by_growth(TopBy by) const {
  return analyze::sort_by_growth(rows_, by);
}

std::vector<Series> Differences::find_violations(const Threshold& threshold) const {
  return analyze::find_violations(rows_, whole_, threshold);
}

Result<Threshold> parse_threshold(std::string_view text) { return analyze::parse_threshold(text); }
Trend find_trend(const Series& series, TopBy by) { return analyze::find_trend(series, by); }
std::uint64_t value_of(const Totals& totals, TopBy by) { return analyze::value_of(totals, by); }

}  // namespace heapcheck
