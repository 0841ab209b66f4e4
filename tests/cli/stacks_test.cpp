// Tests the output of the commands about allocations by call stack.
#include <algorithm>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string legacy = (root / "corpus/chrome/legacy/seed/chrome-64-small.json").string();
const std::string heaps_v2 = (root / "corpus/chrome/heaps_v2/seed/chrome-120-small.json").string();
const std::string profile = (root / "corpus/v8/heapprofile/seed/node-12-small.heapprofile").string();

std::string stacks(const std::string& words) { return run("heapcheck " + words + " 2>&1").out; }

}  // namespace

TEST_CASE("frames, types and allocators of a Chrome dump are counted", "[program][ask]") {
  CHECK(stacks("top " + legacy + " frames --output csv").starts_with("name,count,size,cumulative\n"));
  CHECK(stacks("top " + legacy + " allocators --output csv") ==
        "name,count,size,cumulative\nmalloc,15795,3275891,3275891\n");
  CHECK(stacks("top " + legacy + " types --snapshot 0 --output ndjson").contains("{\"name\":\"[unknown]\","));
  CHECK(stacks("top " + heaps_v2 + " allocators --snapshot 0").contains("malloc  36,937  4.2 MiB"));
  CHECK(stacks("top " + legacy + " frames by cumulative --limit 1").contains("(root)"));
  CHECK(stacks("top " + legacy + " frames by cumulative --output json").contains("\"by\": \"cumulative\""));
}

TEST_CASE("frames of a sampling profile are counted without a number of objects", "[program][ask]") {
  CHECK(stacks("top " + profile + " frames --limit 1").contains("mk        -  78.8 KiB   168.2 KiB"));
  CHECK(stacks("top " + profile + " frames --output json").contains("\"count\": null"));
  CHECK(stacks("top " + profile + " types").contains("has no types, expected frames or kinds"));
  CHECK(stacks("top " + profile + " kinds").contains("function"));
}

TEST_CASE("words that make no sense for stacks are named", "[program][ask]") {
  CHECK(
      stacks("top " + legacy + " strings").contains("has no strings, expected frames, types or allocators"));
  CHECK(stacks("top " + legacy + " frames by retained")
            .contains("found \"by retained\", expected by size, by count or by cumulative"));
  for (const std::string& command : {"path " + legacy + " 1", "retained " + legacy, "suspects " + legacy,
                                     "find " + legacy + " nodes", "dominators " + legacy}) {
    const Outcome refused = run("heapcheck " + command + " 2>&1");
    CHECK(refused.status == 2);
    CHECK(refused.out.contains("summary, top, tree, diff and growth answer questions about its stacks"));
  }
  CHECK(stacks("tree " + sound_dump).contains("has no allocations by call stack"));
}

TEST_CASE("a tree has callees below their callers, or the other way round", "[program][ask]") {
  const std::string tree = stacks("tree " + profile + " --limit 3");
  CHECK(tree.contains("\n(root) "));
  CHECK(tree.contains("\n    executeUserEntryPoint "));
  CHECK(stacks("tree --inverted " + profile + " --limit 2").contains("\n  mk "));
  CHECK(stacks("tree " + profile + " --output json").contains("\"tree\": \"from root\""));
  CHECK(stacks("tree --inverted " + profile + " --output csv").starts_with("name,depth,count,size,cum"));
  CHECK(std::ranges::count(stacks("tree " + legacy), '\n') == 21);
}

TEST_CASE("Chrome's dumps are compared by frame unless something else is named", "[program][ask]") {
  const std::string diff = "diff " + legacy + " --snapshots 0,1 ";
  CHECK(stacks(diff + "--output csv")
            .starts_with("name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1\n"));
  CHECK(stacks(diff + "--output json").contains("\"of\": \"frames\",\n  \"by\": \"cumulative\","));
  CHECK(stacks(diff + "--of allocators --output csv").contains("\nmalloc,grown,5192,15795,833046,3275891,"));
  const Outcome broken =
      run("heapcheck " + diff + " --of allocators --fail-on 'type=malloc: cumulative > +2M' 2>&1 >/dev/null");
  CHECK(broken.status == 1);
  CHECK(broken.out.contains("malloc: found cumulative +2.3 MiB"));
  CHECK(stacks("diff " + legacy + " " + heaps_v2 + " --of allocators").contains("malloc"));
  CHECK(stacks(diff + "--of objects").contains(": has no objects, expected frames, types or allocators\n"));
  CHECK(stacks("growth " + profile + " --of objects").contains(": has no objects, expected frames or kinds"));
  CHECK(stacks("diff " + legacy + " " + profile)
            .contains("found a V8 sampling heap profile, expected a Chrome"));
}

TEST_CASE("growth is that of one process", "[program][ask]") {
  CHECK(run("heapcheck growth " + legacy + " 2>&1 >/dev/null")
            .out.contains("left out 1 dump of processes other than the first"));
  CHECK(stacks("growth " + legacy + " --output json").contains("\"snapshot\": 0\n    }\n  ],"));
}

TEST_CASE("a summary lists Chrome's dumps with their processes and allocators", "[program][ask]") {
  CHECK(stacks("summary " + legacy + " --output csv") ==
        "index,process,count,size\n0,Renderer 18199,8871,1082900\n1,HeadlessBrowser 18175,15795,3275891\n");
  CHECK(stacks("summary " + legacy).contains("Allocators of snapshot 1:\n"));
  CHECK(!stacks("summary " + legacy).contains("Change"));
  CHECK(stacks("summary " + heaps_v2).contains("-4.2 MiB\n"));
}

TEST_CASE("a damaged trace gives no answer without --force", "[program][ask]") {
  const std::string broken = (root / "corpus/chrome/legacy/seed/broken.json").string();
  const Outcome refused = run("heapcheck top " + broken + " frames 2>&1");
  CHECK(refused.status == 4);
  CHECK(refused.out.contains("`heapcheck recover` keeps the intact parts"));
  const Outcome forced = run("heapcheck top --force " + broken + " frames 2>/dev/null");
  CHECK(forced.status == 0);
  CHECK(forced.out.starts_with("Name"));
}
