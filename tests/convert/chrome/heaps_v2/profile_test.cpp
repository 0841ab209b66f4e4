#include <algorithm>
#include <random>

#include "tests/support/heaps_v2_trace.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::heaps_v2;

namespace {

/// Describes the rows of a profile with their names: `main/f|int:8/1`.
std::vector<std::string> describe(const conversion::chrome::Profile& profile,
                                  const conversion::chrome::Process& process,
                                  const conversion::chrome::Dump& dump) {
  std::vector<std::string> rows;
  for (const conversion::chrome::Heap& heap : dump.heaps) {
    for (std::uint64_t i = 0; i < heap.row_count(); ++i) {
      std::string stack;
      for (auto at = heap.frame[i]; at != conversion::chrome::no_frame;) {
        const auto frame = static_cast<std::size_t>(at);
        stack = std::string(profile.strings[process.frames.name[frame]]) + "/" + stack;
        at = process.frames.parent[frame];
      }
      const auto type = process.types[static_cast<std::size_t>(heap.type[i])];
      rows.push_back(heap.allocator + " " + stack + "|" + std::string(profile.strings[type]) + ":" +
                     std::to_string(heap.size[i]) + "/" + std::to_string(heap.count[i]));
    }
  }
  std::ranges::sort(rows);
  return rows;
}

/// The rows of a profile, dump by dump.
std::vector<std::vector<std::string>> describe(const conversion::chrome::Profile& profile) {
  std::vector<std::vector<std::string>> all;
  for (const conversion::chrome::Process& process : profile.processes) {
    for (const conversion::chrome::Dump& dump : process.dumps)
      all.push_back(describe(profile, process, dump));
  }
  return all;
}

/// Makes the kind of object that is most difficult to read, with rows of maps in any order and ids from a
/// wide range.
std::string make_object(std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return random() % n; };
  const std::size_t count = 1 + below(30);
  Numbers ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(100 * i + 1 + below(90));
  std::vector<std::string> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    std::string row = R"({"id":)" + std::to_string(ids[i]) + R"(,"name_sid":)" + std::to_string(1 + below(5));
    if (i != 0 && below(4) != 0) row += R"(,"parent":)" + std::to_string(ids[below(i)]);
    nodes.push_back(row + "}");
  }
  std::ranges::shuffle(nodes, random);
  std::string list;
  for (const std::string& row : nodes) list += (list.empty() ? "" : ",") + row;
  std::array<std::string, column_count> columns;
  for (std::size_t i = 0; i < below(40); ++i) {
    const Numbers row{below(6) == 0 ? 0 : ids[below(count)], below(3), below(9), below(5000)};
    for (std::size_t c = 0; c < column_count; ++c) columns[c] += (i == 0 ? "" : ",") + std::to_string(row[c]);
  }
  return R"({"version":1,"allocators":{"malloc":{"nodes":[)" + columns[0] + R"(],"types":[)" + columns[1] +
         R"(],"counts":[)" + columns[2] + R"(],"sizes":[)" + columns[3] + R"(]}},"maps":{"nodes":[)" + list +
         R"(],"types":[{"id":1,"name_sid":4},{"id":2,"name_sid":2},{"id":0,"name_sid":6}],"strings":[)" +
         R"({"id":1,"string":"b"},{"id":2,"string":"a"},{"id":3,"string":"\n"},{"id":4,"string":"c"},)" +
         R"({"id":5,"string":"a"},{"id":6,"string":"[unknown]"}]}})";
}

}  // namespace

TEST_CASE("ids are resolved in earlier dumps of the process if a dump adds to them", "[heaps_v2]") {
  const auto meaning =
      conversion::chrome::heaps_v2::to_profile(read_trace(read_sample("in-process.json")).model);
  CHECK(meaning.losses.empty());
  const auto& profile = meaning.profile;
  REQUIRE(profile.processes.size() == 2);
  REQUIRE(profile.processes[0].dumps.size() == 3);
  const std::string type = "T\u00fc\"\\";
  CHECK(
      describe(profile) ==
      std::vector<std::vector<std::string>>{
          {"malloc CrBrowserMain/Init/|" + type + ":300/3",
           "malloc CrBrowserMain/MessageLoop/|[unknown]:40/1", "malloc |" + type + ":16/2"},
          {"malloc CrBrowserMain/Init/Late/|V:3000000000/7", "malloc CrBrowserMain/Init/|" + type + ":400/4",
           "malloc CrBrowserMain/MessageLoop/|[unknown]:40/1"},
          {"malloc CrBrowserMain/Init/Late/|" + type + ":8/1", "malloc CrBrowserMain/|V:8/1"},
          {"malloc CrRendererMain/|int:8/1"}});
}

TEST_CASE("an id that is reused in complete maps has a new meaning", "[heaps_v2]") {
  const auto meaning =
      conversion::chrome::heaps_v2::to_profile(read_trace(read_sample("chrome-62-style.json")).model);
  CHECK(meaning.losses.empty());
  const auto rows = describe(meaning.profile);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == std::vector<std::string>{"malloc pc:7f00/pc:7f01/|[unknown]:40/5",
                                            "malloc pc:7f00/|[unknown]:8/1", "malloc |[unknown]:9/1"});
  CHECK(rows[1] == std::vector<std::string>{"malloc pc:7e00/pc:7f01/|[unknown]:48/5",
                                            "malloc pc:7e00/|[unknown]:8/1", "malloc |[unknown]:9/1"});
}

TEST_CASE("names in place of ids, and the event of the proposal, mean the same", "[heaps_v2]") {
  CHECK(describe(conversion::chrome::heaps_v2::to_profile(read_trace(read_sample("other-tools.json")).model)
                     .profile) ==
        std::vector<std::vector<std::string>>{{"malloc main/f/|[unknown]:8/1"},
                                              {"malloc main/f/|int:64/4", "malloc main/|[unknown]:5/1"}});
  CHECK(
      describe(
          conversion::chrome::heaps_v2::to_profile(read_trace(read_sample("proposal.json")).model).profile) ==
      std::vector<std::vector<std::string>>{
          {"malloc [Thread]/a/|int:32/2"},
          {"blink_gc [Thread]/|int:1/1", "malloc [Thread]/a/b/|T:32/2", "malloc [Thread]/a/|int:16/1"}});
}

TEST_CASE("an event of the proposal becomes a memory dump", "[heaps_v2]") {
  const auto profile =
      conversion::chrome::heaps_v2::to_profile(
          read_trace(R"([{},{"ph":"P","name":"heap_profile","pid":1,"args":{"data":{}}}])").model)
          .profile;
  const chrome::EventHead& head = profile.processes.at(0).dumps.at(0).head;
  CHECK(head.phase == "v");
  CHECK(head.name == "periodic_interval");
  CHECK(head.id == "0x1");
}

TEST_CASE("parents come before their children, and no frame occurs twice", "[heaps_v2]") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto meaning = conversion::chrome::heaps_v2::to_profile(read_object(make_object(random)).model);
    CHECK(meaning.losses.empty());
    const conversion::chrome::FrameTree& tree = meaning.profile.processes[0].frames;
    std::vector<std::pair<conversion::chrome::FrameIndex, core::PoolIndex>> keys;
    for (std::size_t i = 0; i < tree.count(); ++i) {
      const bool comes_after =
          tree.parent[i] == conversion::chrome::no_frame || static_cast<std::size_t>(tree.parent[i]) < i;
      CHECK(comes_after);
      keys.emplace_back(tree.parent[i], tree.name[i]);
    }
    std::ranges::sort(keys);
    CHECK(std::ranges::adjacent_find(keys) == keys.end());
  }
}

TEST_CASE("a profile is read back from the objects made from it", "[heaps_v2]") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const std::string text = make_trace({make_object(random), make_object(random)});
    const auto profile = conversion::chrome::heaps_v2::to_profile(read_trace(text).model).profile;
    const std::string written = write_trace(conversion::chrome::heaps_v2::from_profile(profile));
    const Reading again = read_trace(written);
    CHECK(again.found.findings.empty());
    auto before = describe(profile);
    for (auto& rows : before) {
      std::erase_if(rows, [](const std::string& row) { return row.ends_with(":0/0"); });
    }
    CHECK(describe(conversion::chrome::heaps_v2::to_profile(again.model).profile) == before);
    CHECK(write_trace(conversion::chrome::heaps_v2::from_profile(
              conversion::chrome::heaps_v2::to_profile(again.model).profile)) == written);
  }
}

TEST_CASE("the written bytes do not depend on the order in which rows were read", "[heaps_v2]") {
  const std::string maps =
      R"("maps":{"types":[{"id":1,"name_sid":4},{"id":2,"name_sid":3}],"nodes":[{"id":7,"name_sid":2,"parent":5},)"
      R"({"id":5,"name_sid":1},{"id":6,"name_sid":3,"parent":5}],"strings":[{"id":1,"string":"main"},)"
      R"({"id":2,"string":"g"},{"id":3,"string":"f"},{"id":4,"string":"[unknown]"}]}})";
  const std::string first =
      R"({"version":1,"allocators":{"b":{"nodes":[7,6,7],"types":[1,2,2],"counts":[1,2,3],"sizes":[4,5,6]},)"
      R"("a":{"nodes":[0],"types":[2],"counts":[1],"sizes":[1]}},)" +
      maps;
  const std::string second =
      R"({"version":1,"allocators":{"a":{"nodes":[0,6],"types":[2,2],"counts":[1,0],"sizes":[1,0]},)"
      R"("b":{"nodes":[6,7,7,7],"types":[2,2,1,1],"counts":[2,3,1,0],"sizes":[5,6,1,3]}},)" +
      maps;
  const auto write = [](const std::string& object) {
    const Model model = conversion::chrome::heaps_v2::from_profile(
        conversion::chrome::heaps_v2::to_profile(read_object(object).model).profile);
    std::string out;
    append_heaps_v2(model, model.dumps[0], out);
    return out;
  };
  CHECK(write(first) == write(second));
  CHECK(write(first) == R"({"allocators":{"a":{"counts":[1],"nodes":[0],"sizes":[1],"types":[1]},)"
                        R"("b":{"counts":[2,1,3],"nodes":[5,7,7],"sizes":[5,4,6],"types":[1,0,1]}},)"
                        R"("maps":{"nodes":[{"id":4,"name_sid":3},{"id":5,"name_sid":2,"parent":4},)"
                        R"({"id":7,"name_sid":6,"parent":4}],"strings":[{"id":1,"string":"[unknown]"},)"
                        R"({"id":2,"string":"f"},{"id":3,"string":"main"},{"id":6,"string":"g"}],)"
                        R"("types":[{"id":0,"name_sid":1},{"id":1,"name_sid":2}]},"version":1})");
}

TEST_CASE("ids that cannot be resolved are listed as losses", "[heaps_v2]") {
  const auto meaning = conversion::chrome::heaps_v2::to_profile(
      read_object(
          R"({"version":1,"allocators":{"a":{"nodes":[9,1],"types":[9,0],"counts":[1,1],"sizes":[1,1]},)"
          R"("b":{"nodes":[1]}},"maps":{"nodes":[{"id":1,"name_sid":8,"parent":2},)"
          R"({"id":2,"name_sid":1,"parent":1},{"id":3,"name_sid":1,"parent":7}],)"
          R"("strings":[{"id":1,"string":"x"}]}})")
          .model);
  std::vector<std::pair<std::string, std::uint64_t>> losses;
  for (const Loss& loss : meaning.losses) losses.emplace_back(loss.what, loss.count);
  CHECK(losses == std::vector<std::pair<std::string, std::uint64_t>>{{"stacks of rows", 1},
                                                                     {"types of rows", 1},
                                                                     {"callers of frames", 2},
                                                                     {"names of frames and types", 1},
                                                                     {"allocators", 1}});
}

TEST_CASE("sums that need more than 64 bits are listed as losses", "[heaps_v2]") {
  const auto meaning = conversion::chrome::heaps_v2::to_profile(
      read_object(R"({"version":1,"allocators":{"a":{"nodes":[0,0],"types":[0,0],"counts":[1,1],)"
                  R"("sizes":[18446744073709551615,1]}}})")
          .model);
  REQUIRE(meaning.losses.size() == 1);
  CHECK(meaning.losses[0].what == "sums");
  CHECK(meaning.profile.processes[0].dumps[0].heaps[0].size == Numbers{UINT64_MAX});
}
