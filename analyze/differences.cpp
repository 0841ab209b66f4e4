#include "analyze/differences.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "analyze/printed_name.hpp"
#include "analyze/query.hpp"
#include "analyze/stacks.hpp"
#include "formats/core/checked.hpp"

namespace heapcheck::analyze {
namespace {

/// A change, which needs a bit for its direction in addition to 64 bits. Changes are ordered from the largest
/// loss to the largest growth.
struct Step {
  bool is_up = false;
  std::uint64_t distance = 0;  ///< in bytes or nodes

  friend std::strong_ordering operator<=>(const Step& a, const Step& b) {
    if (a.is_up != b.is_up) return a.is_up <=> b.is_up;
    return a.is_up ? a.distance <=> b.distance : b.distance <=> a.distance;
  }
  friend bool operator==(const Step&, const Step&) = default;
};

Step find_step(const Totals& from, const Totals& to, TopBy by) {
  const auto [first, last] = std::pair(value_of(from, by), value_of(to, by));
  return {last >= first, last >= first ? last - first : first - last};
}

using Steps = std::array<Step, 4>;

/// The changes by which rows are sorted, in order of importance.
Steps find_steps(const Series& series, TopBy by) {
  const auto find = [&series](TopBy what) {
    return find_step(series.totals.front(), series.totals.back(), what);
  };
  return {find(by), find(TopBy::retained), find(TopBy::size), find(TopBy::count)};
}

std::array<std::uint64_t, 4> find_distances(const Series& series, TopBy by) {
  const Steps steps = find_steps(series, by);
  return {steps[0].distance, steps[1].distance, steps[2].distance, steps[3].distance};
}

bool is_constant(const Series& series) {
  return std::ranges::adjacent_find(series.totals, std::ranges::not_equal_to()) == series.totals.end();
}

bool grows_in_each(const Series& series, TopBy by) {
  const auto does_not_grow = [by](const Totals& a, const Totals& b) {
    return value_of(b, by) <= value_of(a, by);
  };
  return series.totals.size() > 2 &&
         std::ranges::adjacent_find(series.totals, does_not_grow) == series.totals.end();
}

/// The values that distinguish the rows of a table.
template <class Row>
auto identity_of(const Row& row) {
  return std::tie(row.name, row.place);
}

/// Sorts by `order_of`, largest first, and then by name and place.
template <class OrderOf>
void sort(std::vector<const Series*>& rows, OrderOf order_of) {
  std::ranges::sort(rows, [&](const Series* a, const Series* b) {
    const auto [left, right] = std::pair(order_of(*a), order_of(*b));
    return left == right ? identity_of(*a) < identity_of(*b) : left > right;
  });
}

/// How a condition names a row: by the name alone, or with the place, as answers print it.
enum class Naming : std::uint8_t { name, printed };

bool is_named(const Series& series, const Threshold& threshold, Naming naming) {
  if (naming == Naming::printed)
    return threshold.name_comparison == Comparison::equal &&
           is_printed_as(*threshold.name, series.name, series.place);
  if (threshold.name_comparison == Comparison::contains) return series.name.contains(*threshold.name);
  return series.name == *threshold.name;
}

/// Multiplies instead of dividing, so that the change from 100 to 110 is exactly 10 percent.
bool holds_percentage(const Threshold& threshold, double first, double last) {
  if (first != 0) return holds(threshold.comparison, (last - first) * 100, threshold.number * first);
  const double percentage = last == 0 ? 0 : std::numeric_limits<double>::infinity();
  return holds(threshold.comparison, percentage, threshold.number);
}

bool is_violation(const Series& series, const Threshold& threshold) {
  const auto first = static_cast<double>(value_of(series.totals.front(), threshold.field));
  const auto last = static_cast<double>(value_of(series.totals.back(), threshold.field));
  switch (threshold.measure) {
    case Threshold::Measure::value:
      return holds(threshold.comparison, last, threshold.number);
    case Threshold::Measure::change:
      return holds(threshold.comparison, last - first, threshold.number);
    case Threshold::Measure::percentage:
      break;
  }
  return holds_percentage(threshold, first, last);
}

void add(Series& sum, const Series& series) {
  for (std::size_t i = 0; i < sum.totals.size(); ++i) {
    Totals& totals = sum.totals[i];
    totals.count = core::saturating_add(totals.count, series.totals[i].count);
    totals.size = core::saturating_add(totals.size, series.totals[i].size);
    totals.retained = core::saturating_add(totals.retained, series.totals[i].retained);
  }
}

/// The series to which the condition applies. A condition that states only a name applies to all types with
/// that name together, wherever they are in the source code. One with a place applies to all types that are
/// printed in the same way.
std::vector<Series> find_named(const std::vector<Series>& all, const Threshold& threshold, Naming naming) {
  std::vector<Series> named;
  for (const Series& series : all) {
    if (!is_named(series, threshold, naming)) continue;
    if (named.empty() || named.back().name != series.name) {
      named.push_back(series);
      continue;
    }
    add(named.back(), series);
    named.back().place = {};
  }
  return named;
}

}  // namespace

void add_snapshot(std::vector<Series>& all, std::uint64_t snapshot, std::vector<NodeTotals> rows) {
  std::ranges::sort(rows, {}, identity_of<NodeTotals>);
  for (Series& series : all) series.totals.emplace_back();
  auto series = all.begin();
  std::vector<Series> added;
  for (NodeTotals& row : rows) {
    while (series != all.end() && identity_of(*series) < identity_of(row)) ++series;
    const Totals totals{.count = row.count, .size = row.size, .retained = row.retained};
    if (series != all.end() && identity_of(*series) == identity_of(row)) {
      series->totals.back() = totals;
      continue;
    }
    added.push_back({std::move(row.name), std::vector<Totals>(static_cast<std::size_t>(snapshot) + 1),
                     std::move(row.place)});
    added.back().totals.back() = totals;
  }
  if (added.empty()) return;
  std::ranges::move(added, std::back_inserter(all));
  std::ranges::sort(all, {}, identity_of<Series>);
}

std::uint64_t value_of(const Totals& totals, TopBy by) {
  if (by == TopBy::count) return totals.count;
  return by == TopBy::size ? totals.size : totals.retained;
}

Trend find_trend(const Series& series, TopBy by) {
  if (grows_in_each(series, by)) return Trend::rising;
  const bool was_there = series.totals.front() != Totals{};
  const bool is_there = series.totals.back() != Totals{};
  if (was_there != is_there) return is_there ? Trend::added : Trend::gone;
  for (const Step& step : find_steps(series, by)) {
    if (step.distance != 0) return step.is_up ? Trend::grown : Trend::shrunk;
  }
  return Trend::same;
}

std::vector<const Series*> find_changed(const std::vector<Series>& all, TopBy by) {
  std::vector<const Series*> rows;
  for (const Series& series : all) {
    if (!is_constant(series)) rows.push_back(&series);
  }
  sort(rows, [by](const Series& series) { return find_distances(series, by); });
  return rows;
}

std::vector<const Series*> sort_by_growth(const std::vector<Series>& all, TopBy by) {
  std::vector<const Series*> rows;
  for (const Series& series : all) rows.push_back(&series);
  sort(rows, [by](const Series& series) { return find_steps(series, by); });
  return rows;
}

void Differences::add(const Heap& heap, TopOf of) {
  if (counts_functions_)
    add_snapshot(functions_, whole_.totals.size(), heap.top(TopOf::closures, TopBy::size));
  add(heap.top(of, TopBy::size), heap.total());
}

bool Differences::has_name(std::string_view name) const {
  const auto has = [name](const std::vector<Series>& all) {
    return std::ranges::any_of(all, [name](const Series& series) {
      return series.name == name || is_printed_as(name, series.name, series.place);
    });
  };
  return has(rows_) || has(functions_);
}

std::vector<std::string> Differences::names() const {
  std::vector<std::string> all;
  for (const auto* rows : {&rows_, &functions_}) {
    for (const Series& series : *rows) all.push_back(series.name);
  }
  return all;
}

void Differences::add(const AllocationProfile& profile, AllocationsOf of) {
  has_counts_ = has_counts_ && heapcheck::has_counts(profile);
  add(count_allocations(profile, of, TopBy::size), count_all(profile));
}

void Differences::add(std::vector<NodeTotals> rows, const NodeTotals& total) {
  add_snapshot(rows_, whole_.totals.size(), std::move(rows));
  whole_.totals.push_back({.count = total.count, .size = total.size, .retained = total.retained});
}

std::vector<Series> find_violations(const std::vector<Series>& all, const std::vector<Series>& functions,
                                    const Series& whole, const Threshold& threshold) {
  std::vector<Series> found = threshold.name ? std::vector<Series>() : std::vector{whole};
  for (const Naming naming : {Naming::name, Naming::printed}) {
    for (const auto* rows : {&all, &functions}) {
      if (found.empty()) found = find_named(*rows, threshold, naming);
    }
  }
  if (found.empty() && threshold.name_comparison == Comparison::equal)
    found.push_back({*threshold.name, std::vector<Totals>(whole.totals.size())});
  std::erase_if(found, [&](const Series& series) { return !is_violation(series, threshold); });
  return found;
}

}  // namespace heapcheck::analyze
