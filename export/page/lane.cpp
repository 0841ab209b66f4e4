#include "export/page/page.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analyze/stacks.hpp"

namespace heapcheck::exports::page {
namespace {

/// The indices of the snapshots that are shown: either all of them or evenly spaced ones that include the
/// first and the last.
std::vector<std::size_t> choose_positions(std::size_t count) {
  const std::size_t most = std::min(count, most_positions);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(most == 1 ? 0 : i * (count - 1) / (most - 1));
  return chosen;
}

/// The largest size in any snapshot.
std::uint64_t find_peak(const Series& series) {
  std::uint64_t peak = 0;
  for (const Totals& totals : series.totals) peak = std::max(peak, totals.size);
  return peak;
}

/// The largest change in size from one snapshot to the next.
std::uint64_t find_largest_step(const Series& series, const std::vector<std::size_t>& chosen) {
  std::uint64_t most = 0;
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    const std::uint64_t before = series.totals[chosen[i - 1]].size;
    const std::uint64_t after = series.totals[chosen[i]].size;
    most = std::max(most, before < after ? after - before : before - after);
  }
  return most;
}

/// Sorts by a number, largest first.
template <class NumberOf>
void sort_rows_by(std::vector<const Series*>& rows, NumberOf number_of) {
  std::ranges::sort(rows, [&](const Series* left, const Series* right) {
    const std::uint64_t left_number = number_of(*left);
    const std::uint64_t right_number = number_of(*right);
    if (left_number != right_number) return left_number > right_number;
    return std::tie(left->name, left->place) < std::tie(right->name, right->place);
  });
}

Series take_positions(const Series& series, const std::vector<std::size_t>& chosen) {
  Series taken{.name = name_with_place(series.name, series.place), .totals = {}};
  for (const std::size_t index : chosen) taken.totals.push_back(series.totals[index]);
  return taken;
}

/// The rows whose size or retained size changed the most, either overall or from one snapshot to the next,
/// and the largest rows. Each row is listed only once.
std::vector<const Series*> choose_series(const analyze::Differences& differences,
                                         const std::vector<std::size_t>& positions) {
  std::vector<const Series*> chosen;
  const auto add = [&chosen](const std::vector<const Series*>& rows, std::size_t most) {
    for (std::size_t i = 0; i < rows.size() && i < most; ++i) {
      if (std::ranges::find(chosen, rows[i]) == chosen.end()) chosen.push_back(rows[i]);
    }
  };
  add(differences.find_changed(TopBy::size), most_series);
  add(differences.find_changed(TopBy::retained), most_series / 2);
  std::vector<const Series*> others = differences.sort_by_growth(TopBy::size);
  if (positions.size() > 2) {
    sort_rows_by(others, [&positions](const Series& series) { return find_largest_step(series, positions); });
    add(others, most_series / 2);
  }
  sort_rows_by(others, find_peak);
  add(others, most_series / 2);
  return chosen;
}

}  // namespace

void describe_series(const analyze::Differences& types, const analyze::Differences& kinds,
                     const std::map<std::string, std::string>& other_kinds,
                     const std::vector<Position>& positions, PageData& data) {
  const auto chosen = choose_positions(positions.size());
  for (const std::size_t index : chosen) data.positions.push_back(positions[index]);
  data.positions_left_out = positions.size() - chosen.size();
  std::uint64_t changed = types.find_changed(TopBy::size).size();
  for (const Series* series : choose_series(types, chosen)) {
    const bool has_changed = std::ranges::any_of(
        series->totals, [series](const Totals& totals) { return totals != series->totals.front(); });
    // A row that was chosen for its size may not have changed.
    if (has_changed && changed != 0) --changed;
    data.type_series.push_back(take_positions(*series, chosen));
  }
  data.series_left_out = changed;
  for (const Series* series : kinds.sort_by_growth(TopBy::size)) {
    const auto other = other_kinds.find(series->name);
    if (other == other_kinds.end() || find_peak(*series) == 0) continue;
    data.type_series.push_back(take_positions(*series, chosen));
    data.type_series.back().name = other->second;
  }
  for (const Series* series : choose_series(kinds, chosen)) {
    if (data.kind_series.size() == most_series) break;
    data.kind_series.push_back(take_positions(*series, chosen));
  }
}

void PageLane::add_to_series() {
  if (heap_) {
    other_kinds_.merge(find_other_kinds(heap_->graph()));
    types_.add(*heap_, TopOf::objects);
    kinds_.add(*heap_, TopOf::kinds);
  } else if (profile_) {
    types_.add(*profile_, AllocationsOf::frames);
    kinds_.add(*profile_, AllocationsOf::allocators);
  }
}

void PageLane::fold() {
  add_to_series();
  if (first_ && heap_) {
    analyze::NodesById nodes(heap_->graph());
    if (nodes.are_known() && between_)
      between_->keep_common(nodes);
    else if (nodes.are_known())
      between_ = std::move(nodes);
  }
  if (!first_) first_ = std::move(heap_);
  heap_.reset();
  profile_.reset();
}

void PageLane::add(const std::string& file, std::uint64_t snapshot, analyze::Heap heap) {
  const NodeTotals total = heap.total();
  positions_.push_back({.file = file,
                        .snapshot = snapshot,
                        .total = {.count = total.count, .size = total.size, .retained = total.retained}});
  heap_ = std::move(heap);
}

void PageLane::add(const std::string& file, std::uint64_t snapshot, AllocationProfile profile) {
  const NodeTotals total = analyze::count_all(profile);
  has_counts_ = has_counts_ && has_counts(profile);
  positions_.push_back({.file = file,
                        .snapshot = snapshot,
                        .total = {.count = total.count, .size = total.size, .retained = total.retained}});
  profile_ = std::move(profile);
}

Result<void> PageLane::finish(PageData& data) {
  // After an error, the last snapshot may have neither a graph nor a profile.
  if (!heap_ && !profile_)
    return std::unexpected(Error{ErrorKind::unsupported, "there is no snapshot to report on"});
  data.main = positions_.back();
  data.has_counts = has_counts_;
  if (positions_.size() > 1) {
    add_to_series();
    describe_series(types_, kinds_, other_kinds_, positions_, data);
  }
  if (profile_) return describe_profile(*profile_, data);
  if (first_) describe_growth(*first_, between_ ? &*between_ : nullptr, *heap_, data);
  return describe_heap(*heap_, data);
}

}  // namespace heapcheck::exports::page
