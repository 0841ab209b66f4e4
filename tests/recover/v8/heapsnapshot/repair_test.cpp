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
