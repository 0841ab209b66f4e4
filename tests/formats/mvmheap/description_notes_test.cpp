#include "formats/mvmheap/description_notes.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck::mvmheap;

namespace {

DescriptionNotes make_notes(const std::vector<std::uint64_t>& descriptions) {
  Column<std::uint32_t> column;
  DescriptionNotes notes;
  for (const std::uint64_t description : descriptions) {
    column.push_back(description);
    notes.update(column);
  }
  return notes;
}

bool hold(const std::vector<std::uint64_t>& descriptions, std::uint64_t strings) {
  return make_notes(descriptions).hold(strings);
}

}  // namespace

TEST_CASE("descriptions with valid kinds and indices are accepted", "[description]") {
  CHECK(hold({}, 0));
  CHECK(hold({0, 1, 5, 0xFFFF'FFFD}, 0));
  CHECK(hold({0, 2, 1, 6, 0}, 2));
  CHECK(hold({0xFFFF'FFFE}, 0x4000'0000));
  CHECK(hold({0xFFFF'FFFE}, UINT64_MAX));
}

TEST_CASE("one invalid description is enough to reject a column", "[description]") {
  CHECK_FALSE(hold({0, 4, 1}, 9));            // kind 0 with the smallest index
  CHECK_FALSE(hold({0, 0xFFFF'FFFC, 1}, 9));  // kind 0 with the largest index
  CHECK_FALSE(hold({1, 3, 2}, 9));            // kind 3
  CHECK_FALSE(hold({1, 0xFFFF'FFFF, 2}, UINT64_MAX));
  CHECK_FALSE(hold({2, 1}, 0));  // no strings
  CHECK_FALSE(hold({2, 10, 6}, 2));
  CHECK_FALSE(hold({0xFFFF'FFFE}, 0x3FFF'FFFF));
  CHECK_FALSE(hold({1, 0x1'0000'0001}, 9));
}

TEST_CASE("the number of strings that descriptions need is known unless one is invalid", "[description]") {
  CHECK(make_notes({}).needed_strings() == 0U);
  CHECK(make_notes({1, 0xFFFF'FFFD}).needed_strings() == 0U);
  CHECK(make_notes({2, 10, 6}).needed_strings() == 3U);
  CHECK(make_notes({0xFFFF'FFFE}).needed_strings() == 0x4000'0000U);
  CHECK_FALSE(make_notes({10, 3}).needed_strings());
  CHECK_FALSE(make_notes({10, 0x1'0000'0001}).needed_strings());
}
