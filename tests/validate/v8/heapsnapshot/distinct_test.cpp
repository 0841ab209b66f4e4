#include "validate/v8/heapsnapshot/distinct.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Pairs find(const std::vector<std::uint64_t>& values) {
  Pairs found;
  for (const auto& [row, value] : validation::v8::heapsnapshot::find_repeated(values))
    found.emplace_back(row, value);
  return found;
}

Pairs find_with_set(const std::vector<std::uint64_t>& values) {
  std::set<std::uint64_t> seen;
  Pairs found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!seen.insert(values[i]).second) found.emplace_back(i, values[i]);
  }
  return found;
}

/// `count` numbers below `range`, followed by some of them again.
std::vector<std::uint64_t> make_numbers(std::size_t count, std::uint64_t range) {
  std::mt19937_64 random(7);  // NOLINT(*-msc51-cpp): always the same numbers
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(random() % range);
  for (std::size_t i = 0; i < count; i += 100) values.push_back(values[i]);
  return values;
}

}  // namespace

TEST_CASE("repeated numbers are found, however far apart numbers are", "[rules]") {
  for (const std::uint64_t range : {std::uint64_t{50'000}, std::uint64_t{1} << 32, UINT64_MAX}) {
    const std::vector<std::uint64_t> values = make_numbers(100'000, range);
    CHECK(find(values) == find_with_set(values));
  }
  CHECK(find({UINT64_MAX, 0, UINT64_MAX, 0, 0}) == Pairs{{2, UINT64_MAX}, {3, 0}, {4, 0}});
  CHECK(find({7}).empty());
}
