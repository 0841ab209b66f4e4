#include "heapcheck/types/graph_column.hpp"

#include <algorithm>
#include <iterator>

#include "tests/support/catch.hpp"

using heapcheck::GraphColumn;

static_assert(std::random_access_iterator<GraphColumn::Iterator>);

TEST_CASE("a column of a graph keeps numbers of any width", "[graph]") {
  constexpr std::uint64_t wide = std::uint64_t{UINT32_MAX} + 1;
  GraphColumn column{1, UINT32_MAX};
  CHECK(std::ranges::equal(column, std::initializer_list<std::uint64_t>{1, UINT32_MAX}));
  SECTION("appended") {
    column.push_back(wide);
    column.push_back(2);
    CHECK(column == GraphColumn{1, UINT32_MAX, wide, 2});
  }
  SECTION("set in place of a narrow one") {
    column.set(0, wide);
    column.set(1, 3);
    CHECK(column == GraphColumn{wide, 3});
    column.resize(3);
    CHECK(column == GraphColumn{wide, 3, 0});
  }
  SECTION("set back") {
    column.set(0, wide);
    column.set(0, 1);
    CHECK(column == GraphColumn{1, UINT32_MAX});
  }
  SECTION("first of all") {
    GraphColumn other;
    other.push_back(wide);
    CHECK(other == GraphColumn{wide});
    other.push_back(wide + 1);
    other.set(0, wide + 2);
    CHECK(std::ranges::equal(other, std::initializer_list<std::uint64_t>{wide + 2, wide + 1}));
    CHECK(other != GraphColumn{0});
  }
}

TEST_CASE("a column of a graph can be searched", "[graph]") {
  const GraphColumn column{0, 2, 2, 5, std::uint64_t{1} << 40};
  CHECK(std::ranges::upper_bound(column, 2U) - column.begin() == 3);
  CHECK(std::ranges::find(column, std::uint64_t{1} << 40) - column.begin() == 4);
  CHECK(column.back() == column.end()[-1]);
}
