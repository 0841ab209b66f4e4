#include "formats/core/memory_budget.hpp"

#include "tests/support/catch.hpp"

using heapcheck::core::MemoryBudget;

TEST_CASE("a budget has room for what is left of it, and for nothing after a request that does not fit",
          "[core]") {
  MemoryBudget budget(100);
  budget.take(60);
  CHECK(budget.left() == 40);
  CHECK(budget.has_room(40));
  CHECK(!budget.has_room(41));
  CHECK(budget.fits(40));
  CHECK(!budget.fits(41));
  CHECK(budget.is_spent());
  CHECK(!budget.has_room(1));
  CHECK(budget.left() == 0);
}

TEST_CASE("a budget that was exceeded has no room until enough is given back", "[core]") {
  MemoryBudget budget(100);
  budget.take(130);
  CHECK(!budget.has_room(0));
  CHECK(budget.left() == 0);
  budget.give_back(50);
  CHECK(budget.has_room(20));
  CHECK(!budget.has_room(21));
}
