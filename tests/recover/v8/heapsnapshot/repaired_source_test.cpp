#include "recover/v8/heapsnapshot/repaired_source.hpp"

#include "tests/support/recovered_snapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using tests::read_snapshot_seed;
using tests::recover;
using tests::replace;
using tests::values_of;

namespace {

using Values = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("recovery goes on after a syntax error", "[v8][heapsnapshot][recover]") {
  const std::string text = read_snapshot_seed("small.heaptimeline");
  const auto number = recover(replace(text, "9,2,3,0,1,0,0", "9,2,3,\x01,1,0,0"));
  CHECK(number.recovery.kept_edges == 4);
  CHECK(number.recovery.dropped_nodes == 0);
  CHECK(recover(replace(text, "9,2,3,0,1,0,0", "9,2,3,00,1,0,0")).recovery.kept_edges == 4);
  const auto id = recover(replace(text, "5,3,5,64", "5,3,]5,64"));
  CHECK(values_of(id.snapshot, Section::nodes, "id") == Values{1, 3, 9, 7});
  CHECK(values_of(id.snapshot, Section::edges, "to_node") == Values{7, 21});
  const auto edge = recover(replace(text, "5,3,14", "5,3,,14"));
  CHECK(values_of(edge.snapshot, Section::edges, "to_node").back() == 21);
  for (const char* strings : {"\"f\x01\",\"a.js\"", "\"f,\n\"a.js\"", "\"f\"+\"a.js\"", "f\",\"a.js\"",
                              "\"f\xff\",\"a.js\"", "\"f\\x\",\"a.js\"", "\"f\"f\",\"a.js\""}) {
    INFO(strings);
    const auto recovered = recover(replace(text, "\"f\",\"a.js\"", strings));
    REQUIRE(recovered.snapshot.strings.table.count() == 7);
    CHECK(recovered.snapshot.strings.table[4] == "a.js");
    CHECK(recovered.recovery.lost_names == 0);
    CHECK(recovered.recovery.kept_edges == 4);
  }
}

TEST_CASE("recovery goes on after a long run of NULs", "[v8][heapsnapshot][recover]") {
  const std::string text = read_snapshot_seed("small.heaptimeline");
  const std::string run(100'000, '\0');
  const auto number = recover(replace(text, "9,2,3,0,1,0,0", "9,2,3," + run + ",1,0,0"));
  CHECK(number.recovery.kept_edges == 4);
  CHECK(number.recovery.dropped_nodes == 0);
  const auto string = recover(replace(text, "\"f\",\"a.js\"", "\"f" + run + "\",\"a.js\""));
  REQUIRE(string.snapshot.strings.table.count() == 7);
  CHECK(string.snapshot.strings.table[3].starts_with('f'));
  CHECK(string.snapshot.strings.table[4] == "a.js");
}
