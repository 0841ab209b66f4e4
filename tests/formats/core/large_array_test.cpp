#include "formats/core/large_array.hpp"

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using core::LargeArray;

namespace {

/// More values than an array keeps in memory from the heap.
constexpr std::size_t many = 3 * core::huge_page_bytes / sizeof(std::uint32_t);

void fill(LargeArray<std::uint32_t>& vector, std::size_t count) {
  for (std::size_t i = vector.size(); i < count; ++i) vector.push_back(static_cast<std::uint32_t>(i));
}

/// The number of values at the front that were written by fill().
std::size_t count_filled(const LargeArray<std::uint32_t>& vector) {
  std::size_t count = 0;
  while (count < vector.size() && vector[count] == count) ++count;
  return count;
}

}  // namespace

TEST_CASE("an array keeps its values when it grows, on the heap and in pages of its own", "[column]") {
  LargeArray<std::uint32_t> vector;
  CHECK(vector.empty());
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, many / 2, many, 5 * many}) {
    fill(vector, count);
    CHECK(vector.size() == count);
    CHECK(vector.capacity() >= count);
    CHECK(count_filled(vector) == count);
  }
  vector.reserve(20 * many);
  CHECK(vector.capacity() == 20 * many);
  CHECK(count_filled(vector) == 5 * many);
}

TEST_CASE("the capacity of an array does not depend on the steps in which it grows", "[column]") {
  LargeArray<std::uint32_t> a;
  LargeArray<std::uint32_t> b;
  a.resize(512);
  b.resize(512);
  for (std::size_t count = 512; count < 100'000; count += 512) a.resize(count);
  b.resize(99'840);
  CHECK(a.capacity() == b.capacity());
}

TEST_CASE("a large array begins at a huge page", "[column]") {
  LargeArray<std::uint32_t> vector;
  vector.resize(many);
  CHECK(reinterpret_cast<std::uintptr_t>(vector.data()) % core::huge_page_bytes == 0);
}

TEST_CASE("arrays are copied, moved and swapped", "[column]") {
  for (const std::size_t count : {std::size_t{0}, std::size_t{10}, many}) {
    LargeArray<std::uint32_t> vector;
    fill(vector, count);
    LargeArray<std::uint32_t> copy(vector);
    CHECK(count_filled(copy) == count);
    CHECK((count == 0 || copy.data() != vector.data()));
    const LargeArray<std::uint32_t> moved(std::move(vector));
    CHECK(count_filled(moved) == count);
    copy = {};
    CHECK(copy.empty());
    CHECK(copy.capacity() == 0);
    copy = moved;
    CHECK(count_filled(copy) == count);
  }
}

TEST_CASE("values of another type are converted, and one value is repeated", "[column]") {
  LargeArray<std::uint64_t> vector;
  vector.append(std::span<const std::uint16_t>(std::vector<std::uint16_t>{1, 0xFFFF}));
  CHECK(std::vector(vector.begin(), vector.end()) == std::vector<std::uint64_t>{1, 0xFFFF});
  CHECK(vector.back() == 0xFFFF);
  vector.assign(3, 7);
  CHECK(std::vector(vector.begin(), vector.end()) == std::vector<std::uint64_t>{7, 7, 7});
  vector.clear();
  CHECK(vector.empty());
}

TEST_CASE("an array that cannot grow is left as it is", "[column]") {
  constexpr std::size_t too_many = SIZE_MAX / 64;
  for (const std::size_t count : {std::size_t{100}, many}) {
    LargeArray<std::uint32_t> vector;
    fill(vector, count);
    CHECK_THROWS_AS(vector.reserve(too_many), std::bad_alloc);
    CHECK(count_filled(vector) == count);
  }
}
