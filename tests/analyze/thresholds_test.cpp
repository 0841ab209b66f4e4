#include "analyze/thresholds.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;
using analyze::find_violations;
using analyze::parse_threshold;

namespace {

const Series whole{"", {{.count = 100, .size = 1000, .retained = 900}, {.count = 110, .size = 2048}}};
const std::vector<Series> rows = {{"Foo", {{.count = 10}, {.count = 1010}}},
                                  {"Foo::Bar", {{}, {.count = 5}}},
                                  {"My Foo", {{.count = 3}, {.count = 2}}}};

/// The names of the rows that the condition holds for.
std::vector<std::string> find_broken(std::string_view text) {
  const auto threshold = parse_threshold(text);
  INFO(text);
  REQUIRE(threshold);
  std::vector<std::string> names;
  for (const Series& series : find_violations(rows, whole, *threshold)) names.push_back(series.name);
  return names;
}

std::string threshold_error(std::string_view text) {
  const auto threshold = parse_threshold(text);
  return threshold ? std::string() : threshold.error().message;
}

using Names = std::vector<std::string>;
const Names nothing;
const Names heap = {""};

}  // namespace

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
  const std::string order = "expected <, <=, > or >= and a number";
  CHECK(threshold_error("") ==
        "in the condition, found the end at character 1, expected type, count, size or retained");
  CHECK(threshold_error("counts > 1") ==
        "in the condition, found \"counts\" at character 1, expected type, count, size or retained");
  CHECK(threshold_error("type!=Foo: count > 1") ==
        "in the condition, found \"!=Foo:\" at character 5, expected = or ~ and a text");
  CHECK(threshold_error("type=") ==
        "in the condition, found the end at character 6, expected a text, in quotes if it has spaces");
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
