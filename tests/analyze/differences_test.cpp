#include "analyze/differences.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using analyze::add_snapshot;
using analyze::find_changed;
using analyze::find_trend;
using analyze::find_violations;
using analyze::parse_threshold;
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

/// A series with these sizes. It has one node wherever the size is not 0.
Series make_series(const std::vector<std::uint64_t>& sizes) {
  Series series;
  for (const std::uint64_t size : sizes) series.totals.push_back({.count = size != 0, .size = size});
  return series;
}

using Names = std::vector<std::string>;

const Series whole{"", {{.count = 100, .size = 1000, .retained = 900}, {.count = 110, .size = 2048}}};
const std::vector<Series> rows = {{"Foo", {{.count = 10}, {.count = 1010}}},
                                  {"Foo::Bar", {{}, {.count = 5}}},
                                  {"My Foo", {{.count = 3}, {.count = 2}}}};

/// Functions, which count if no row has the name of a condition.
const std::vector<Series> functions = {
    {"onPrice", {{.count = 1}, {.count = 41}}, {.file = "a.js", .line = 3}},
    {"onPrice", {{.count = 2}, {.count = 22}}, {.file = "b.js", .line = 9}}};

/// The names of the rows for which the condition is true.
std::vector<std::string> find_broken(std::string_view text) {
  const auto threshold = parse_threshold(text);
  INFO(text);
  REQUIRE(threshold);
  std::vector<std::string> names;
  for (const Series& series : find_violations(rows, functions, whole, *threshold))
    names.push_back(series.name);
  return names;
}

std::string threshold_error(std::string_view text) {
  const auto threshold = parse_threshold(text);
  return threshold ? std::string() : threshold.error().message;
}

const Names nothing;
const Names heap = {""};

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

TEST_CASE("rows with the same name are different if their places are", "[analyze][places]") {
  std::vector<Series> all;
  add_snapshot(all, 0, {{.name = "get", .count = 1, .place = {"b.js", 1}}, {.name = "get", .count = 2}});
  add_snapshot(
      all, 1,
      {{.name = "get", .count = 4, .place = {"a.js", 1}}, {.name = "get", .count = 3, .place = {"b.js", 1}}});
  REQUIRE(all.size() == 3);
  CHECK(all[0].place == heapcheck::Place{});
  CHECK(all[0].totals == std::vector<Totals>{{.count = 2}, {}});
  CHECK(all[1].place == heapcheck::Place{"a.js", 1});
  CHECK(all[1].totals == std::vector<Totals>{{}, {.count = 4}});
  CHECK(all[2].totals == std::vector<Totals>{{.count = 1}, {.count = 3}});
}

TEST_CASE("a condition may name a function, and means all functions with that name", "[analyze][places]") {
  CHECK(find_broken("type=onPrice: count > 62") == Names{"onPrice"});
  CHECK(find_broken("type=onPrice: count > +59") == Names{"onPrice"});
  CHECK(find_broken("type=onPrice: count > 63") == nothing);
  CHECK(find_broken("type~onPr: count > 62") == Names{"onPrice"});
}

TEST_CASE("a condition may name one function as answers print it", "[analyze][places]") {
  CHECK(find_broken("type=\"onPrice (a.js:3)\": count > 40") == Names{"onPrice"});
  CHECK(find_broken("type=\"onPrice (a.js:3)\": count > 41") == nothing);
  CHECK(find_broken("type=\"onPrice (b.js:9)\": count > 21") == Names{"onPrice"});
  CHECK(find_broken("type=\"onPrice (b.js:9)\": count > 22") == nothing);
  CHECK(find_broken("type=\"onPrice (b.js:8)\": count > 0") == nothing);
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

TEST_CASE("a condition without a type is about the whole heap", "[analyze]") {
  CHECK(find_broken("count > 109") == heap);
  CHECK(find_broken("count>110") == nothing);
  CHECK(find_broken("count >= 110") == heap);
  CHECK(find_broken(" size  >=  2K ") == heap);
  CHECK(find_broken("retained < -899") == heap);
  CHECK(find_broken("retained <= -900") == heap);
  CHECK(find_broken("retained < -900") == nothing);
  CHECK(find_broken("size > 1M") == nothing);
}

TEST_CASE("a number with a sign is a change", "[analyze]") {
  CHECK(find_broken("count > +9") == heap);
  CHECK(find_broken("count > +10") == nothing);
  CHECK(find_broken("size >= +1048") == heap);
}

TEST_CASE("a percentage is a change, exact even at its limit", "[analyze]") {
  CHECK(find_broken("count > 10%") == nothing);
  CHECK(find_broken("count >= 10 %") == heap);
  CHECK(find_broken("count > +9%") == heap);
  CHECK(find_broken("retained <= -100%") == heap);
}

TEST_CASE("growth from nothing is above every percentage", "[analyze]") {
  CHECK(find_broken("type=Foo::Bar: count > 1000000%") == Names{"Foo::Bar"});
  CHECK(find_broken("type=Foo::Bar: size > 0%") == nothing);
  CHECK(find_broken("type=Foo::Bar: size >= 10%") == nothing);
}

TEST_CASE("a condition is about each type that it names", "[analyze]") {
  CHECK(find_broken("type=\"Foo\": count > +999") == Names{"Foo"});
  CHECK(find_broken("type~\"Foo\": count > 0") == Names{"Foo", "Foo::Bar", "My Foo"});
  CHECK(find_broken("type ~ Foo : count < +0") == Names{"My Foo"});
  CHECK(find_broken("type=\"My Foo\": count <= -1") == Names{"My Foo"});
  CHECK(find_broken("type=Foo::Bar: count >= +5") == Names{"Foo::Bar"});
}

TEST_CASE("a type that no snapshot has counts as zeros", "[analyze]") {
  CHECK(find_broken("type=Other: count < 1") == Names{"Other"});
  CHECK(find_broken("type=Other: count > 0") == nothing);
  CHECK(find_broken("type~Other: count < 1") == nothing);
}

TEST_CASE("the error about a condition names the word, its place, and what is expected", "[analyze]") {
  const std::string order = "expected <, <=, > or >=, followed by a number";
  CHECK(threshold_error("") ==
        "in the condition, found the end at character 1, expected type, count, size or retained");
  CHECK(threshold_error("counts > 1") ==
        "in the condition, found \"counts\" at character 1, expected type, count, size or retained; did you "
        "mean "
        "count");
  CHECK(threshold_error("siz > 1").ends_with("expected type, count, size or retained; did you mean size"));
  CHECK(threshold_error("tpe=Foo: count > 1").ends_with("; did you mean type"));
  CHECK(
      threshold_error("type=Foo: siz > 1").ends_with("expected count, size or retained; did you mean size"));
  CHECK(threshold_error("type!=Foo: count > 1") ==
        "in the condition, found \"!=Foo:\" at character 5, expected = or ~, followed by text");
  CHECK(threshold_error("type=") ==
        "in the condition, found the end at character 6, expected text, in quotes if it contains spaces");
  CHECK(threshold_error("type=Foo count > 1") ==
        "in the condition, found \"count\" at character 10, expected a colon");
  CHECK(threshold_error("type=Foo: name > 1") ==
        "in the condition, found \"name\" at character 11, expected count, size or retained");
  CHECK(threshold_error("count = 1") == "in the condition, found \"=\" at character 7, " + order);
  CHECK(threshold_error("count > many") ==
        "in the condition, found \"many\" at character 9, expected a number below 2^64");
  CHECK(threshold_error("count > 18446744073709551615G") ==
        "in the condition, found the end at character 30, expected a number below 2^64");
  CHECK(threshold_error("count > 1 2") == "in the condition, found \"2\" at character 11, expected the end");
  CHECK(threshold_error("count > 10%5") == "in the condition, found \"5\" at character 12, expected the end");
}
