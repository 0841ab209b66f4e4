// What the commands print about allocations by call stack.
#include <algorithm>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string legacy = (root / "corpus/chrome/legacy/seed/chrome-64-small.json").string();
const std::string heaps_v2 = (root / "corpus/chrome/heaps_v2/seed/chrome-120-small.json").string();
const std::string profile = (root / "corpus/v8/heapprofile/seed/node-12-small.heapprofile").string();

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string answer(const std::string& words) { return run("heapcheck " + words + " 2>&1").out; }

}  // namespace

TEST_CASE("frames, types and allocators of a Chrome dump are counted", "[program][ask]") {
  CHECK(answer("top " + legacy + " frames --output csv").starts_with("name,count,size,cumulative\n"));
  CHECK(answer("top " + legacy + " allocators --output csv") ==
        "name,count,size,cumulative\nmalloc,15795,3275891,3275891\n");
  CHECK(has(answer("top " + legacy + " types --snapshot 0 --output ndjson"), "{\"name\":\"[unknown]\","));
  CHECK(has(answer("top " + heaps_v2 + " allocators --snapshot 0"), "malloc  36,937  4.2 MiB"));
  CHECK(has(answer("top " + legacy + " frames by cumulative --limit 1"), "(root)"));
  CHECK(has(answer("top " + legacy + " frames by cumulative --output json"), "\"by\": \"cumulative\""));
}

TEST_CASE("frames of a sampling profile are counted without a number of objects", "[program][ask]") {
  CHECK(has(answer("top " + profile + " frames --limit 1"), "mk        -  78.8 KiB   168.2 KiB"));
  CHECK(has(answer("top " + profile + " frames --output json"), "\"count\": null"));
  CHECK(has(answer("top " + profile + " types"), "has no types, expected frames or kinds"));
  CHECK(has(answer("top " + profile + " kinds"), "function"));
}

TEST_CASE("words that make no sense for stacks are named", "[program][ask]") {
  CHECK(has(answer("top " + legacy + " strings"), "has no strings, expected frames or types or allocators"));
  CHECK(has(answer("top " + legacy + " frames by retained"),
            "found \"by retained\", expected by size, by count or by cumulative"));
  for (const std::string& command : {"path " + legacy + " 1", "retained " + legacy, "suspects " + legacy,
                                     "find " + legacy + " nodes", "dominators " + legacy}) {
    const Outcome refused = run("heapcheck " + command + " 2>&1");
    CHECK(refused.status == 2);
    CHECK(has(refused.out, "summary, top, tree, diff and growth answer questions about its stacks"));
  }
  CHECK(has(answer("tree " + sound_dump), "has no allocations by call stack"));
}

TEST_CASE("a tree has callees below their callers, or the other way round", "[program][ask]") {
  const std::string tree = answer("tree " + profile + " --limit 3");
  CHECK(has(tree, "\n(root) "));
  CHECK(has(tree, "\n    executeUserEntryPoint "));
  CHECK(has(answer("tree --inverted " + profile + " --limit 2"), "\n  mk "));
  CHECK(has(answer("tree " + profile + " --output json"), "\"tree\": \"from root\""));
  CHECK(answer("tree --inverted " + profile + " --output csv").starts_with("name,depth,count,size,cum"));
  CHECK(std::ranges::count(answer("tree " + legacy), '\n') == 21);
}

TEST_CASE("Chrome's dumps are compared by frame unless something else is named", "[program][ask]") {
  const std::string diff = "diff " + legacy + " --snapshots 0,1 ";
  CHECK(answer(diff + "--output csv")
            .starts_with("name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1\n"));
  CHECK(has(answer(diff + "--output json"), "\"of\": \"frames\",\n  \"by\": \"cumulative\","));
  CHECK(has(answer(diff + "--of allocators --output csv"), "\nmalloc,grown,5192,15795,833046,3275891,"));
  const Outcome broken =
      run("heapcheck " + diff + " --of allocators --fail-on 'type=malloc: cumulative > +2M' 2>&1 >/dev/null");
  CHECK(broken.status == 1);
  CHECK(has(broken.out, "malloc: found cumulative +2.3 MiB"));
  CHECK(has(answer("diff " + legacy + " " + heaps_v2 + " --of allocators"), "malloc"));
  CHECK(has(answer("diff " + legacy + " " + profile), "found a V8 sampling heap profile, expected a Chrome"));
}

TEST_CASE("growth is that of one process", "[program][ask]") {
  CHECK(has(run("heapcheck growth " + legacy + " 2>&1 >/dev/null").out,
            "left out 1 dump of processes other than the first"));
  CHECK(has(answer("growth " + legacy + " --output json"), "\"snapshot\": 0\n    }\n  ],"));
}

TEST_CASE("a summary lists Chrome's dumps with their processes and allocators", "[program][ask]") {
  CHECK(answer("summary " + legacy + " --output csv") ==
        "index,process,count,size\n0,Renderer 18199,8871,1082900\n1,HeadlessBrowser 18175,15795,3275891\n");
  CHECK(has(answer("summary " + legacy), "Allocators of snapshot 1:\n"));
  CHECK(!has(answer("summary " + legacy), "Change"));
  CHECK(has(answer("summary " + heaps_v2), "-4.2 MiB\n"));
}

TEST_CASE("a damaged trace gives no answer without --force", "[program][ask]") {
  const std::string broken = (root / "corpus/chrome/legacy/seed/broken.json").string();
  const Outcome refused = run("heapcheck top " + broken + " frames 2>&1");
  CHECK(refused.status == 1);
  CHECK(has(refused.out, "--force answers about the intact parts"));
  const Outcome forced = run("heapcheck top --force " + broken + " frames 2>/dev/null");
  CHECK(forced.status == 0);
  CHECK(forced.out.starts_with("Name"));
}
