#include "validate/collector.hpp"

#include "formats/core/faults.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

TEST_CASE("as many findings of a rule as wanted are described, and the rest are counted", "[collector]") {
  const std::uint64_t most = GENERATE(std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{9});
  validation::Collector collector(most);
  constexpr std::uint64_t count = 3;
  for (std::uint64_t i = 0; i < count; ++i)
    collector.report({&core::rules::input_compression, {{i, 1}}, "checksum is wrong"});
  const std::uint64_t described = std::min(most, count);
  CHECK(collector.wanted(core::rules::input_compression) == most - described);
  const auto more = collector.more();
  CHECK(collector.take_findings().size() == described);
  REQUIRE(more.size() == (described < count ? 1 : 0));
  if (!more.empty()) CHECK(more.front().count == count - described);
}
