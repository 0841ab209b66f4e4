#include "analyze/differences.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using analyze::add_snapshot;
using analyze::find_changed;
using analyze::find_trend;
using analyze::sort_by_growth;

namespace {

using Rows = std::vector<NodeTotals>;

std::vector<Series> compare(const std::vector<Rows>& snapshots) {
  std::vector<Series> all;
  for (std::size_t i = 0; i < snapshots.size(); ++i) add_snapshot(all, i, snapshots[i]);
  return all;
}

std::vector<std::string> names_of(const std::vector<const Series*>& rows) {
  std::vector<std::string> names;
  for (const Series* row : rows) names.push_back(row->name);
  return names;
}

/// A series with these sizes, of one node wherever the size is not 0.
Series make_series(const std::vector<std::uint64_t>& sizes) {
  Series series;
  for (const std::uint64_t size : sizes) series.totals.push_back({.count = size != 0, .size = size});
  return series;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a series has zeros where a snapshot has no such nodes", "[analyze]") {
  const std::vector<Series> all = compare({{{"b", 1, 10, 100}}, {{"c", 3, 30, 0}, {"a", 2, 20, 0}}});
  REQUIRE(all.size() == 3);
  CHECK(all[0].name + all[1].name + all[2].name == "abc");
  CHECK(all[0].totals == std::vector<Totals>{{}, {.count = 2, .size = 20}});
  CHECK(all[1].totals == std::vector<Totals>{{.count = 1, .size = 10, .retained = 100}, {}});
  CHECK(all[2].totals == std::vector<Totals>{{}, {.count = 3, .size = 30}});
}

TEST_CASE("the largest change comes first, whether up or down, and equal rows are left out", "[analyze]") {
  const std::vector<Series> all =
      compare({{{"up", 1, 10, 10}, {"same", 1, 10, 10}, {"down", 9, 50, 50}, {"z", 1, 1, 1}, {"y", 1, 1, 1}},
               {{"up", 2, 20, 20}, {"same", 1, 10, 10}, {"down", 1, 5, 5}, {"z", 1, 2, 1}, {"y", 1, 2, 1}}});
  CHECK(names_of(find_changed(all, TopBy::retained)) == Names{"down", "up", "y", "z"});
  CHECK(names_of(find_changed(all, TopBy::count)) == Names{"down", "up", "y", "z"});
  CHECK(names_of(sort_by_growth(all, TopBy::size)) == Names{"up", "y", "z", "same", "down"});
}

TEST_CASE("a row that returns to its value is a change", "[analyze]") {
  const std::vector<Series> all = compare({{{"a", 1, 1, 1}}, {{"a", 2, 2, 2}}, {{"a", 1, 1, 1}}});
  REQUIRE(find_changed(all, TopBy::size).size() == 1);
  CHECK(find_trend(all[0], TopBy::size) == Trend::same);
}

TEST_CASE("a trend compares the first and the last snapshot", "[analyze]") {
  CHECK(find_trend(make_series({0, 5}), TopBy::size) == Trend::added);
  CHECK(find_trend(make_series({5, 0}), TopBy::size) == Trend::gone);
  CHECK(find_trend(make_series({5, 6}), TopBy::size) == Trend::grown);
  CHECK(find_trend(make_series({6, 5}), TopBy::size) == Trend::shrunk);
  CHECK(find_trend(make_series({5, 6}), TopBy::retained) == Trend::grown);
  CHECK(find_trend(make_series({5, 6, 7}), TopBy::size) == Trend::rising);
  CHECK(find_trend(make_series({5, 7, 7}), TopBy::size) == Trend::grown);
}

TEST_CASE("changes of 2^63 and more are in order", "[analyze]") {
  const std::vector<Series> all =
      compare({{{"a", 1, 0, 0}, {"b", 1, UINT64_MAX, 0}, {"c", 1, 0, 0}},
               {{"a", 1, UINT64_MAX - 1, 0}, {"b", 1, 0, 0}, {"c", 1, UINT64_MAX, 0}}});
  CHECK(names_of(sort_by_growth(all, TopBy::size)) == Names{"c", "a", "b"});
  CHECK(names_of(find_changed(all, TopBy::size)) == Names{"b", "c", "a"});
}
