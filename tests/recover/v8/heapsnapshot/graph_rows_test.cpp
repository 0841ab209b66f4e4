#include "recover/v8/heapsnapshot/graph_rows.hpp"

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using heapcheck::v8::heapsnapshot::Section;
using tests::make_snapshot;
using tests::recover;
using tests::replace;

TEST_CASE("edges are kept if the end of nodes and the beginning of edges are lost",
          "[v8][heapsnapshot][recover]") {
  constexpr int count = 200;
  std::string nodes;
  std::string edges;
  for (int i = 0; i < count; ++i) {
    if (i < 120) nodes += (i == 0 ? "1,1," : ",0,2,") + std::to_string(2 * i + 1) + ",16,1";
    if (i >= 40) edges += ",1," + std::to_string(i) + "," + std::to_string(5 * ((i + 1) % count));
  }
  const std::string counted =
      replace(make_snapshot(nodes + edges, "", R"j("<dummy>","","a")j"), R"j("node_count":1,"edge_count":0)j",
              R"j("node_count":200,"edge_count":200)j");
  const auto [recovery, written, snapshot] = recover(replace(counted, "\"edges\":[],\n", ""));
  CHECK(recovery.placeholders == 96);
  CHECK(recovery.dropped_nodes == 96);
  CHECK(recovery.kept_edges == 47);
  CHECK((*snapshot.find_column(Section::edges, "name_or_index"))[0] == 56);
  CHECK((*snapshot.find_column(Section::nodes, "edge_count"))[55] == 0);
  CHECK((*snapshot.find_column(Section::nodes, "edge_count"))[56] == 1);
}
