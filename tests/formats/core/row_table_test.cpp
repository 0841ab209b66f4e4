#include "formats/core/row_table.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using heapcheck::core::RowTable;

namespace {

/// Adds the rows in their order; returns the number of the first row equal to each.
std::vector<std::uint64_t> find_first_rows(const std::vector<std::string>& rows,
                                           const std::function<std::size_t(const std::string&)>& hash) {
  RowTable table;
  std::vector<std::uint64_t> found;
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const auto is_same = [&](std::uint64_t other) { return rows[other] == rows[i]; };
    found.push_back(table.find_or_add(hash(rows[i]), i, is_same));
  }
  return found;
}

}  // namespace

TEST_CASE("a row table finds the first of equal rows while it grows", "[rows]") {
  std::vector<std::string> rows;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const bool repeats = i % 3 == 2;
    rows.push_back(repeats ? rows[i / 3 * 3 / 2 / 3 * 3] : std::to_string(i));
    expected.push_back(repeats ? i / 3 * 3 / 2 / 3 * 3 : i);
  }
  CHECK(find_first_rows(rows, std::hash<std::string>()) == expected);
}

TEST_CASE("a row table tells rows with equal hashes apart", "[rows]") {
  const std::vector<std::string> rows{"main", "free", "main", "", "free"};
  CHECK(find_first_rows(rows, [](const std::string&) { return 7; }) ==
        std::vector<std::uint64_t>{0, 1, 0, 3, 1});
}

TEST_CASE("a row table does not remember rows beyond its limit", "[rows]") {
  RowTable table;
  const auto is_same = [](std::uint64_t) { return true; };
  CHECK(table.find_or_add(1, RowTable::limit, is_same) == RowTable::limit);
  CHECK(table.find_or_add(1, RowTable::limit - 1, is_same) == RowTable::limit - 1);
  CHECK(table.find_or_add(1, 5, is_same) == RowTable::limit - 1);
}

TEST_CASE("a row table is empty after it is cleared", "[rows]") {
  RowTable table;
  const auto is_same = [](std::uint64_t) { return true; };
  table.find_or_add(1, 0, is_same);
  table.clear();
  CHECK(table.find_or_add(1, 8, is_same) == 8);
}
