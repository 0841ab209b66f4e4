#include "recover/v8/heapsnapshot/split_evidence.hpp"

#include <algorithm>
#include <string>

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;

namespace {

/// The text without 600 bytes of `nodes`, which begin after that share of the section.
std::string cut_nodes(std::string text, std::size_t percent) {
  const std::size_t begin = text.find("\"nodes\":[");
  const std::size_t end = text.find(']', begin);
  REQUIRE(end != std::string::npos);
  return text.erase(begin + (end - begin) * percent / 100, 600);
}

}  // namespace

TEST_CASE("edges show where rows of nodes were lost", "[v8][heapsnapshot][recover]") {
  struct Row {
    std::string seed;
    std::size_t percent;
  };
  // If edges are not asked, at most 9 % of the edges of each file are kept.
  for (const auto& [seed, percent] : {Row{"node-10.heapsnapshot", 70}, Row{"node-12-stacks.heaptimeline", 70},
                                      Row{"chrome-156.heapsnapshot", 50}, Row{"node-16.heapsnapshot", 70},
                                      Row{"node-24-stacks.heaptimeline", 60}}) {
    INFO(seed << " at " << percent << " %");
    const std::string text = tests::read_snapshot_seed(seed);
    const std::set<tests::Edge> edges = tests::edges_of(tests::read_snapshot(text).snapshot);
    const std::set<tests::Edge> kept = tests::edges_of(tests::recover(cut_nodes(text, percent)).snapshot);
    CHECK(kept.size() > edges.size() * 7 / 10);
    CHECK(std::ranges::includes(edges, kept));
  }
}
