#include "recover/v8/heapsnapshot/repair.hpp"

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using tests::make_snapshot;
using tests::recover;
using tests::replace;

TEST_CASE("placeholders do not contradict the order of names", "[v8][heapsnapshot][recover]") {
  constexpr int count = 1500;
  std::string nodes = "1,1,1,0," + std::to_string(count);
  std::string edges;
  std::string strings = R"j("<dummy>","")j";
  for (int i = 1; i <= count; ++i) {
    if (i != 1400) nodes += ",0," + std::to_string(i + 1) + "," + std::to_string(2 * i + 1) + ",16,0";
    edges += (i == 1 ? "1," : ",1,") + std::to_string(i) + "," + std::to_string(5 * i);
    strings += ",\"name " + std::to_string(i) + "\"";
  }
  const auto [recovery, written, snapshot] =
      recover(replace(make_snapshot(nodes, edges, strings), R"j("node_count":1,"edge_count":0)j",
                      R"j("node_count":1501,"edge_count":1500)j"));
  CHECK(recovery.placeholders == 1);
  const Report report = tests::check(replace(written, "(lost node)", "(another)"));
  CHECK(report.count(Severity::warning) == 1);
}

TEST_CASE("columns in another order are put back if the rows contradict it", "[v8][heapsnapshot][recover]") {
  const std::string intact = tests::read_snapshot_seed("small.heaptimeline");
  const auto nodes =
      recover(replace(intact, R"j("self_size","edge_count")j", R"j("edge_count","self_size")j"));
  CHECK(nodes.text == intact);
  CHECK(nodes.recovery.changed_values == 1);
  const auto edges =
      recover(replace(intact, R"j("name_or_index","to_node")j", R"j("to_node","name_or_index")j"));
  CHECK(edges.text == intact);
}
