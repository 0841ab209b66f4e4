#include "heapcheck/types/profile.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "heapcheck/dump.hpp"
#include "heapcheck/stacks.hpp"
#include "tests/support/chrome_legacy.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

/// Borrows `text`.
Dump open_text(const std::string& text) {
  auto dump = heapcheck::open_bytes(core::as_bytes(text));
  REQUIRE(dump);
  return std::move(*dump);
}

AllocationProfile read_last(const Dump& dump) {
  std::vector<AllocationProfile> profiles;
  for (const Snapshot& snapshot : dump.snapshots()) {
    auto profile = snapshot.profile();
    REQUIRE(profile);
    CHECK(count_all(*profile).size == snapshot.byte_count());
    profiles.push_back(std::move(*profile));
  }
  REQUIRE(!profiles.empty());
  return std::move(profiles.back());
}

using ProfileRow = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<ProfileRow> count(const AllocationProfile& profile, AllocationsOf of) {
  std::vector<ProfileRow> rows;
  for (const NodeTotals& row : count_allocations(profile, of, TopBy::size))
    rows.emplace_back(row.name, row.count, row.size, row.retained);
  return rows;
}

const std::string three_frames =
    R"("0":{"name":"main"},"1":{"name":"f","parent":"0"},"2":{"name":"main","parent":"1"})";

}  // namespace

TEST_CASE("the size of a legacy entry is what its callees do not have", "[door]") {
  const std::string text =
      tests::make_legacy(R"({"bt":"","size":"64","count":"a"},{"bt":"","type":"1","size":"40","count":"6"},)"
                         R"({"bt":"0","size":"50","count":"8"},{"bt":"1","size":"30","count":"4"},)"
                         R"({"bt":"2","size":"10","count":"1"})",
                         three_frames, R"("1":"T")");
  const AllocationProfile profile = read_last(open_text(text));
  CHECK(count(profile, AllocationsOf::frames) ==
        std::vector<ProfileRow>{{"main", 5, 0x30, 0x50}, {"f", 3, 0x20, 0x30}, {"(root)", 2, 0x14, 0x64}});
  CHECK(count(profile, AllocationsOf::types) ==
        std::vector<ProfileRow>{{"T", 6, 0x40, 0x40}, {"<other>", 4, 0x24, 0x24}});
  CHECK(count(profile, AllocationsOf::allocators) == std::vector<ProfileRow>{{"malloc", 10, 0x64, 0x64}});
  CHECK(profile.process.name == "7");
}

TEST_CASE("rows of heaps_v2 are sizes of frames, in several allocators", "[door]") {
  const std::string text =
      R"([{"ph":"v","pid":1,"ts":1,"id":"1","args":{"dumps":{"heaps_v2":)"
      R"({"version":1,"maps":{"strings":[{"id":1,"string":"main"},{"id":2,"string":"f"},{"id":3,"string":"T"}],)"
      R"("nodes":[{"id":1,"name_sid":1},{"id":2,"name_sid":2,"parent":1},{"id":3,"name_sid":1,"parent":2}],)"
      R"("types":[{"id":0,"name_sid":3}]},"allocators":{)"
      R"("malloc":{"nodes":[3,1,0],"types":[0,0,0],"counts":[1,2,3],"sizes":[10,20,30]},)"
      R"("blink_gc":{"nodes":[2],"types":[0],"counts":[4],"sizes":[5]}}}}}}])";
  const AllocationProfile profile = read_last(open_text(text));
  CHECK(count(profile, AllocationsOf::frames) ==
        std::vector<ProfileRow>{{"(root)", 3, 30, 65}, {"main", 3, 30, 35}, {"f", 4, 5, 15}});
  CHECK(count(profile, AllocationsOf::types) == std::vector<ProfileRow>{{"T", 10, 65, 65}});
  CHECK(count(profile, AllocationsOf::allocators) ==
        std::vector<ProfileRow>{{"malloc", 6, 60, 60}, {"blink_gc", 4, 5, 5}});
}

TEST_CASE("a sampling profile has neither types nor numbers of objects", "[door]") {
  const AllocationProfile profile = read_last(open_text(
      R"j({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},)j"
      R"j("selfSize":1,"id":1,"children":[)j"
      R"j({"callFrame":{"functionName":"f","scriptId":"1","url":"","lineNumber":0,"columnNumber":0},)j"
      R"j("selfSize":2,"id":2,"children":[)j"
      R"j({"callFrame":{"functionName":"f","scriptId":"2","url":"a.js","lineNumber":0,"columnNumber":0},)j"
      R"j("selfSize":4,"id":3,"children":[]}]}]},"samples":[]})j"));
  CHECK(profile.type.empty());
  CHECK(profile.count.empty());
  CHECK(count(profile, AllocationsOf::frames) ==
        std::vector<ProfileRow>{{"f", 0, 4, 4}, {"f", 0, 2, 6}, {"(root)", 0, 1, 7}});
}

TEST_CASE("the sizes of frames add up to that of the dump in all real files", "[door]") {
  for (const char* seed :
       {"chrome/legacy/seed/chrome-64-small.json", "chrome/legacy/seed/old-variant.json",
        "chrome/heaps_v2/seed/chrome-120-small.json", "chrome/heaps_v2/seed/in-process.json",
        "v8/heapprofile/seed/chrome-156.heapprofile"}) {
    CAPTURE(seed);
    const auto dump = heapcheck::open((tests::root / "corpus" / seed).string());
    REQUIRE(dump);
    for (const Snapshot& snapshot : dump->snapshots()) {
      const auto profile = snapshot.profile();
      REQUIRE(profile);
      std::uint64_t size = 0;
      for (const NodeTotals& row : count_allocations(*profile, AllocationsOf::frames, TopBy::size))
        size += row.size;
      CHECK(size == snapshot.byte_count());
    }
  }
}

TEST_CASE("a heap snapshot has no profile, and a Chrome dump has no graph", "[door]") {
  const auto heap =
      heapcheck::open((tests::root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string());
  REQUIRE(heap);
  CHECK((*heap->snapshots().begin()).profile().error().kind == ErrorKind::unsupported);
  const std::string text = tests::make_legacy(R"({"bt":"","size":"1"})", "", R"("0":"T")");
  const Dump trace = open_text(text);
  CHECK((*trace.snapshots().begin()).graph().error().kind == ErrorKind::unsupported);
}

TEST_CASE("a timeline whose nodes do not name calls has no profile, and the error names the column",
          "[door]") {
  std::string text = tests::read_corpus("v8/heapsnapshot/seed/small.heaptimeline");
  const std::string column = "\"trace_node_id\"";
  REQUIRE(text.find(column) != std::string::npos);
  text.replace(text.find(column), column.size(), "\"trace_nodx_id\"");
  const Dump dump = open_text(text);
  const auto profile = (*dump.snapshots().begin()).profile();
  REQUIRE_FALSE(profile);
  CHECK(profile.error().kind == ErrorKind::unsupported);
  CHECK(profile.error().message.find("no column `trace_node_id`") != std::string::npos);
}

TEST_CASE("a profile that needs too much memory reaches a limit", "[door]") {
  const std::string text = tests::make_legacy(R"({"bt":"0","size":"1"})", three_frames, R"("0":"T")");
  auto dump = heapcheck::open_bytes(core::as_bytes(text), {.limits = {.max_memory = 400}});
  REQUIRE(dump);
  for (const Snapshot& snapshot : dump->snapshots())
    CHECK(snapshot.profile().error().kind == ErrorKind::limit);
}
