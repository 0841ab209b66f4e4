#include "formats/core/string_pool.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck::core;

TEST_CASE("the strings of another pool are interned in their order", "[strings]") {
  StringPool other;
  for (const char* const text : {"main", "", "free"}) other.intern(text);
  StringPool pool;
  pool.intern("free");
  CHECK(pool.intern_all(other) == std::vector{PoolIndex{1}, PoolIndex{2}, PoolIndex{0}});
  CHECK(pool.count() == 3);
  CHECK(pool[PoolIndex{1}] == "main");
  CHECK(pool[PoolIndex{2}].empty());
}

TEST_CASE("many strings of other pools get the indices that one by one get", "[strings]") {
  StringPool one_by_one;
  StringPool pool;
  for (int start = 0; start < 5000; start += 1000) {
    StringPool other;
    for (int i = start; i < start + 1500; ++i) {
      one_by_one.intern(std::to_string(i * i % 3001));
      other.intern(std::to_string(i * i % 3001));
    }
    const std::vector<PoolIndex> indices = pool.intern_all(other);
    REQUIRE(indices.size() == other.count());
    for (std::uint32_t i = 0; i < other.count(); ++i) CHECK(pool[indices[i]] == other[PoolIndex{i}]);
  }
  REQUIRE(pool.count() == one_by_one.count());
  for (std::uint32_t i = 0; i < pool.count(); ++i) CHECK(pool[PoolIndex{i}] == one_by_one[PoolIndex{i}]);
}
