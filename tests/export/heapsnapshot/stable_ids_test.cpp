#include "export/heapsnapshot/stable_ids.hpp"

#include <random>
#include <set>

#include "tests/support/catch.hpp"

using heapcheck::exports::heapsnapshot::TakenIds;

namespace {

/// Takes an id in the simplest way, according to the definition.
std::uint32_t take_slowly(std::set<std::uint32_t>& taken, std::uint32_t id) {
  while (!taken.insert(id).second) id = id == UINT32_MAX ? 1 : id + 2;
  return id;
}

}  // namespace

TEST_CASE("the first free id is taken", "[export][heapsnapshot]") {
  // A few ids, so that there are many runs; the last ids, which are followed by the first one; and any ids.
  const std::uint32_t width = GENERATE(50U, 600U, 5000U, UINT32_MAX);
  const std::uint32_t first = GENERATE(0U, UINT32_MAX - 200U);
  constexpr std::uint32_t count = 1500;
  std::mt19937 random(width);
  TakenIds ids(count);
  std::set<std::uint32_t> taken;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto wanted = static_cast<std::uint32_t>(first + random() % width) | 1U;
    CAPTURE(width, first, i);
    REQUIRE(ids.take(wanted) == take_slowly(taken, wanted));
  }
}

TEST_CASE("equal ids take no quadratic time", "[export][heapsnapshot]") {
  constexpr std::uint32_t count = 1'000'000;  // single steps would number 500,000,000,000
  TakenIds ids(count);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < count; ++i) wrong += ids.take(7) != 7 + 2 * i ? 1 : 0;
  CHECK(wrong == 0);
}
