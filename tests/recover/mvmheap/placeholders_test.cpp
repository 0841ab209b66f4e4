#include "recover/mvmheap/placeholders.hpp"

#include "tests/support/catch.hpp"

using heapcheck::recovery::mvmheap::are_plausible;

TEST_CASE("a graph needs no more placeholders than its collectables and references can have", "[recover]") {
  // Each collectable has a type with two strings or a static frame with three, and each reference has a name.
  CHECK(are_plausible({57, 10, 10}, 10, 7));
  CHECK(!are_plausible({58, 10, 10}, 10, 7));
  CHECK(!are_plausible({57, 11, 10}, 10, 7));
  CHECK(!are_plausible({57, 10, 11}, 10, 7));
  CHECK(are_plausible({0, 0, 0}, 0, 0));
}
