#include "analyze/answers/suspect_rows.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/graphs.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;
using analyze::answers::AskedHeap;
using analyze::answers::Compared;

namespace {

/// A V8 heap without edges whose nodes have these ids.
AskedHeap make_heap(GraphColumn ids) {
  Graph graph = make_graph_of(EdgeLists(ids.size()));
  graph.rules = RetentionRules::devtools;
  graph.node_id = std::move(ids);
  return {.heap = std::make_shared<const analyze::Heap>(std::move(graph))};
}

const AskedHeap first = make_heap({1, 3, 5, 7});
const AskedHeap second = make_heap({1, 3, 5, 9});
const AskedHeap foreign = make_heap({1001, 1003, 1005, 1007});
const AskedHeap last = make_heap({1, 3, 5, 9, 11});

std::string find_remark(GrowthDoubt found, GrowthBy by, const Compared& compared) {
  Answer answer;
  add_doubt(found, by, compared, answer);
  return answer.remarks.empty() ? std::string() : answer.remarks.front().text;
}

}  // namespace

TEST_CASE("a snapshot of another process does not show what remained alive", "[analyze][growth]") {
  Compared compared;
  for (const AskedHeap& heap : {first, foreign, last}) compared.add(heap, "dump");
  CHECK(!compared.between);
  CHECK(compared.doubt == GrowthDoubt::other_process);
  Compared longer;
  for (const AskedHeap& heap : {first, second, foreign, last}) longer.add(heap, "dump");
  REQUIRE(longer.between);
  CHECK(longer.between->rows().size() == 4);
  CHECK(longer.between->rows()[3].id == 9);
}

TEST_CASE("a doubt says how the snapshots were compared", "[analyze][growth]") {
  Compared compared;
  for (const AskedHeap& heap : {first, foreign, last}) compared.add(heap, "dump");
  CHECK(find_remark(GrowthDoubt::none, GrowthBy::id, compared).ends_with(", so they were compared by id"));
  Compared other;
  for (const AskedHeap& heap : {first, foreign}) other.add(heap, "dump");
  CHECK(find_remark(GrowthDoubt::other_process, GrowthBy::type, other)
            .ends_with(", so they were compared by type"));
  Compared sound;
  for (const AskedHeap& heap : {first, second, last}) sound.add(heap, "dump");
  CHECK(find_remark(GrowthDoubt::none, GrowthBy::id, sound).empty());
}
