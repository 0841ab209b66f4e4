#include "formats/mvmheap/model.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;

TEST_CASE("the largest index of a name needs all strings that there can be", "[mvmheap]") {
  mvmheap::Tables tables;
  for (auto* const column : {&tables.types.repr_name, &tables.types.type_name}) column->push_back(3);
  CHECK(mvmheap::find_needed_strings(tables, {}, tables.counts()) == 4);
  for (auto* const column : {&tables.types.repr_name, &tables.types.type_name}) column->push_back(UINT64_MAX);
  CHECK(mvmheap::find_needed_strings(tables, {}, tables.counts()) == UINT64_MAX);
}
