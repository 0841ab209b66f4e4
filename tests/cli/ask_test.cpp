// Tests the output of the commands that answer questions about a heap.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string two_snapshots = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();

std::string answer(const std::string& question, const std::string& file = two_snapshots) {
  const auto space = question.find(' ');
  const std::string rest = space == std::string::npos ? "" : question.substr(space);
  return run("heapcheck " + question.substr(0, space) + " " + file + rest).out;
}

}  // namespace

TEST_CASE("questions are about the last snapshot, or the one that is named", "[program][ask]") {
  CHECK(answer("top kinds --output json").contains("\"snapshot\": 1,"));
  CHECK(answer("top kinds --output json --snapshot 0").contains("\"snapshot\": 0,"));
  const Outcome third = run("heapcheck top " + two_snapshots + " kinds --snapshot 2 2>&1");
  CHECK(third.status == 2);
  CHECK(third.out.contains("no snapshot 2: found 2 snapshots"));
}

TEST_CASE("a summary tells the kinds of each snapshot", "[program][ask]") {
  const std::string json = answer("summary --output json");
  CHECK(json.contains("\"format\": \"mvmheap-v3\""));
  CHECK(json.contains("\"index\": 1"));
  CHECK(json.contains("\"kind\": \"STable\""));
  CHECK(answer("summary --output csv").starts_with("index,nodes,edges,size\n0,"));
}

TEST_CASE("a summary tells how snapshots change, and leaves out some on request", "[program][ask]") {
  const std::string seed = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
  CHECK(answer("summary", seed).contains("  +1.4 KiB\n"));
  CHECK(answer("summary", seed).contains("Kinds of snapshot 2:"));
  const std::string every_second = answer("summary every 2 --output csv", seed);
  CHECK(every_second.contains("\n0,"));
  CHECK(!every_second.contains("\n1,"));
  CHECK(answer("summary every 2 --snapshot 1 --output json", seed).contains("\"snapshots\": []"));
  const Outcome none = run("heapcheck summary " + seed + " every 0 2>&1");
  CHECK(none.status == 2);
  CHECK(none.out.ends_with("expected \"every N\", where N is greater than 0\n"));
  CHECK(run("heapcheck summary none evry 2 2>&1").out.ends_with("greater than 0; did you mean every\n"));
}

TEST_CASE("a node is shown with what holds it", "[program][ask]") {
  const std::string shown = answer("show row:1");
  REQUIRE(shown.contains("\nheld by:\n"));
  const std::string held = shown.substr(shown.find("\nheld by:\n"));
  CHECK(held.contains("  Id  Kind "));
  CHECK(answer("show row:1 --output json").contains("\"retainers\": ["));
}

TEST_CASE("a path starts at the root and names its edges", "[program][ask]") {
  const std::string path = answer("path row:1 --output json");
  CHECK(path.contains("\"edge\": null"));
  CHECK(path.contains("\"id\": 1"));
  CHECK(answer("path row:1").contains("    --[ "));
}

TEST_CASE("a damaged dump gives no answer without --force", "[program][ask]") {
  const Outcome refused = run("heapcheck top " + cut_dump + " kinds 2>&1");
  CHECK(refused.status == 4);
  CHECK(refused.out.contains("`heapcheck recover` keeps the intact parts"));
  const Outcome forced = run("heapcheck top --force " + cut_dump + " kinds");
  CHECK(forced.status == 0);
  CHECK(forced.out.contains("STable"));
}

TEST_CASE("a question is answered if the damage cannot change the answer", "[program][ask]") {
  const Scratch scratch;
  const std::string snapshot = read((root / "corpus/v8/heapsnapshot/seed/chrome-156.heapsnapshot").string());
  const auto with = [&](std::string_view section, std::string_view first) {
    std::string text = snapshot;
    const std::size_t at = text.find(section) + section.size();
    return scratch.file("damaged.heapsnapshot", text.insert(at, first));
  };
  const Outcome beside =
      run("heapcheck summary " + with("\"locations\":[", "1,1,1,1,1") + " 2>&1 >/dev/null");
  CHECK(beside.status == 0);
  CHECK(beside.out.contains("; the answer does not depend on it\n"));
  const Outcome inside = run("heapcheck summary " + with("\"edges\":[", "99,0,0,") + " 2>&1 >/dev/null");
  CHECK(inside.status == 4);
  CHECK(inside.out.contains("; `heapcheck recover` keeps the intact parts\n"));
}

TEST_CASE("a question that reaches a limit is undecided", "[program][ask]") {
  CHECK(run("heapcheck summary --max-memory 10 " + two_snapshots + " 2>&1").status == 5);
}

TEST_CASE("dumps of different formats have no growth, and standard input is read once", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  const Outcome mixed = run("heapcheck suspects " + node_10 + " " + two_snapshots + " 2>&1");
  CHECK(mixed.status == 2);
  CHECK(mixed.out.contains("found a MoarVM heap dump, version 3, expected a V8 heap snapshot, like "));
  CHECK(answer("suspects " + node_10, node_10).contains("Nothing is new in the last snapshot; "));
  const Outcome twice = run("heapcheck diff - - <" + node_10 + " 2>&1");
  CHECK(twice.status == 2);
  CHECK(twice.out.contains("found - more than once"));
}

TEST_CASE("nodes that the format or the snapshot does not have are told", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  CHECK(run("heapcheck find " + node_10 + " stables 2>&1").status == 2);
  CHECK(answer("find 'objects type=Object size>1G'", node_10) == "none\n");
  CHECK(answer("find 'objects type=Object size>1G' --output csv", node_10) ==
        "id,kind,name,size,retained,file,line,column\n");
}

TEST_CASE("words that a question does not know are named", "[program][ask]") {
  CHECK(run("heapcheck top " + two_snapshots + " objcts 2>&1")
            .out.contains("found objcts, expected objects, "));
  CHECK(run("heapcheck top " + two_snapshots + " kinds by colour 2>&1")
            .out.contains("found \"by colour\", expected by size, by count, by retained or by cumulative\n"));
  CHECK(
      run("heapcheck top none kinds by siz 2>&1").out.ends_with("or by cumulative; did you mean by size\n"));
  CHECK(run("heapcheck find none object 2>&1").out.ends_with("nodes or detached; did you mean objects\n"));
  CHECK(run("heapcheck top " + two_snapshots + " strings 2>&1")
            .out.contains("has no strings, expected objects, "));
  CHECK(run("heapcheck show " + two_snapshots + " 99999 2>&1").out.contains("no node 99999"));
}

TEST_CASE("there may be several paths to a node, and one tree for many nodes", "[program][ask]") {
  const std::string seed = (root / "corpus/mvmheap/v3/seed/moar-2022.12-nqp.mvmheap").string();
  const std::string several = answer("path 2267 --paths 2", seed);
  CHECK(several.starts_with("1. "));
  CHECK(several.contains("\n2. "));
  CHECK(!several.contains("\n3. "));
  CHECK(answer("path 2267 --paths 2 --output csv", seed).starts_with("edges\n"));
  const std::string merged = answer("path --merged 'objects type=BOOTHash' --output csv", seed);
  CHECK(merged.starts_with("name,depth,edge,nodes,paths,file,line,column\n(root),0,,1,"));
  CHECK(run("heapcheck path " + seed + " 1 2 2>&1").out ==
        "heapcheck: " + seed + ": found \"1 2\", expected one id, or a query after --merged\n");
  CHECK(run("heapcheck path " + seed + " 1 --merged --paths 2 2>&1").status == 2);
}

TEST_CASE("of several dumps, the last snapshots are compared to find what grew", "[program][ask]") {
  const std::string seed = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
  CHECK(answer("suspects --output json", seed).contains("\"since\": 0,"));
  CHECK(answer("suspects " + two_snapshots + " --output json", seed).contains("\"since\": 2,"));
}

TEST_CASE("the shell and the report have the same suspects as the command", "[program][ask]") {
  const std::string seed = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
  const std::string grown = answer("suspects --share 5", seed);
  CHECK(grown.contains("what is new"));
  CHECK(run("echo 'suspects --share 5' | heapcheck shell " + seed).out == grown);
  const std::string last = answer("suspects --share 5 --snapshot 1", seed);
  CHECK(last != grown);
  CHECK(run("printf 'snapshot 1\nsuspects --share 5\n' | heapcheck shell " + seed).out == last);
  const auto count = [&](const std::string& share) {
    const std::string json = run("heapcheck report --json -o - --share " + share + " " + seed).out;
    std::size_t found = 0;
    for (std::size_t at = json.find("\"way\""); at != std::string::npos; at = json.find("\"way\"", at + 1))
      ++found;
    return found;
  };
  CHECK(count("1") > count("60"));
}

TEST_CASE("leaks are shown with their fingerprints, as suspects are", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  const std::string seed = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
  for (const std::string question : {"suspects", "leaks"}) {
    CHECK(answer(question, node_10).contains("\nfingerprint "));
    CHECK(answer(question + " --output json", node_10).contains("\"fingerprint\": \""));
  }
  CHECK(run("heapcheck leaks " + node_10 + " 2>&1 >/dev/null")
            .out.contains("a single snapshot shows what is large, but not what leaks"));
  CHECK(answer("leaks --share 100", node_10).starts_with("nothing retains 100 % of the heap"));
  CHECK(answer("leaks --limit 1", node_10).contains(" more; --limit N shows N leaks\n"));
  CHECK(answer("leaks " + node_10, node_10) == "nothing is new in the last snapshot\n");
  const std::string grown = answer("leaks", seed);
  CHECK(grown.contains("% of what is new"));
  CHECK(grown.contains("What is new was estimated by type"));
  CHECK(run("echo leaks | heapcheck shell " + seed).out == grown);
  CHECK(run("printf 'snapshot 1\nleaks\n' | heapcheck shell " + seed).out ==
        answer("leaks --snapshot 1", seed));
}

TEST_CASE("files without paths have no leaks", "[program][ask]") {
  const Outcome profile =
      run("heapcheck leaks " + (root / "corpus/v8/heapprofile/seed/small.heapprofile").string() + " 2>&1");
  CHECK(profile.status == 2);
  CHECK(profile.out.contains("has no paths to objects, only call stacks"));
  const Outcome trace =
      run("heapcheck leaks " + (root / "corpus/chrome/legacy/seed/whole.json").string() + " 2>&1");
  CHECK(trace.status == 2);
  CHECK(trace.out.contains("has no object graph"));
}

TEST_CASE("suspects of files that do not follow each other say so", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  const std::string node_16 = (root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string();
  const Outcome same = run("heapcheck suspects " + node_10 + " " + node_10 + " 2>&1");
  CHECK(same.out.contains("two snapshots contain the same nodes"));
  const Outcome mixed = run("heapcheck suspects " + node_10 + " " + node_16 + " 2>&1");
  CHECK(mixed.out.contains("the snapshots are from different processes"));
  CHECK(answer("suspects --output json " + node_16, node_10).contains("\"doubt\": \"other process\","));
}

TEST_CASE("suspects name the stack that allocated most of them", "[program][ask]") {
  const std::string with_stacks =
      (root / "corpus/v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline").string();
  CHECK(answer("suspects --share 1", with_stacks)
            .contains("124 B of 272 B was allocated by this stack, innermost call first:\n\n"
                      "Name\nLeakyThing (me/page.html:2)\nleak (me/page.html:3)\n"));
  CHECK(answer("suspects --share 1 --output json", with_stacks).contains("\"stack\": [\n"));
  const std::string without = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  CHECK(!answer("suspects --output json", without).contains("\"stack\""));
}

TEST_CASE("comparisons of files that do not follow each other say so", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  const std::string node_16 = (root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string();
  for (const std::string command : {"diff", "growth"}) {
    const auto notes = [&](const std::string& files) {
      return run("heapcheck " + command + " " + files + " 2>&1 >/dev/null").out;
    };
    CHECK(notes(node_10 + " " + node_10).contains(": two snapshots contain the same nodes"));
    const std::string mixed = notes(node_10 + " " + node_16);
    CHECK(mixed.ends_with("node-10.heapsnapshot and " + node_16 +
                          ": the snapshots are from different processes, as the ids of their nodes show\n"));
    CHECK(!mixed.contains("same nodes"));
    CHECK(notes(node_10 + " " + node_16 + " " + node_10)
              .contains("; this also applies to 1 snapshot after them\n"));
  }
}

TEST_CASE("what holds memory is told with the reason and the path", "[program][ask]") {
  const std::string node_10 = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
  CHECK(answer("suspects", node_10).starts_with("1. (array) @"));
  CHECK(answer("suspects --output json", node_10).contains("% of the heap\","));
  CHECK(answer("suspects --share 100", node_10).contains("nothing retains 100 % of the heap"));
  CHECK(answer("suspects --share 1 --output json").contains("\"since\": 0,"));
  CHECK(!answer("suspects --share 1 --output json --snapshot 0").contains("since"));
  CHECK(answer("suspects --share 30", node_10).contains("at least 1 % each; --share"));
  CHECK(!answer("suspects --share 1", node_10).contains("at least 1 %"));
  CHECK(answer("suspects --output json", node_10).contains("\"edge_kind\": \"element\","));
  CHECK(answer("retained --limit 1").contains("more; --limit N shows N rows\n"));
  CHECK(answer("dominators").contains("\n  "));
  CHECK(answer("dominators row:1 --output json").contains("\"depth\": 0,"));
  CHECK(answer("duplicates", node_10).contains("Wasted"));
  const Outcome refused = run("heapcheck duplicates " + two_snapshots + " 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("does not contain the contents of strings"));
}

namespace {
const std::string timeline = (root / "corpus/v8/heapsnapshot/seed/node-24-stacks.heaptimeline").string();
}  // namespace

TEST_CASE("answers name the places of functions", "[program][ask][places]") {
  const std::string closures = answer("top closures --output json", timeline);
  CHECK(closures.contains("\"place\": {"));
  CHECK(closures.contains("\"file\": \"node:"));
  CHECK(answer("top closures --output csv", timeline)
            .starts_with("name,count,size,retained,file,line,column\n"));
  CHECK(answer("find 'nodes kind=closure'", timeline).contains(" (node:"));
}

TEST_CASE("a text that no node has is wrong usage", "[program][ask]") {
  for (const std::string command : {"find", "count"}) {
    const Outcome wrong = run("heapcheck " + command + " " + two_snapshots + " 'objects type=Überrau' 2>&1");
    CHECK(wrong.status == 2);
    CHECK(wrong.out.contains(
        "found no type \"Überrau\", expected one that the snapshot has; did you mean Überraum"));
  }
  CHECK(run("heapcheck count " + two_snapshots + " 'objects type=Überraum size>1G'").status == 0);
}

TEST_CASE("a name that is in no snapshot is a warning or, on request, an error", "[program][ask]") {
  const std::string diff =
      "heapcheck diff " + two_snapshots + " --snapshots all --fail-on 'type=Überrau: count > 1' ";
  const Outcome warned = run(diff + "2>&1 >/dev/null");
  CHECK(warned.status == 0);
  CHECK(warned.out.contains("found no Überrau in any snapshot; did you mean Überraum"));
  CHECK(run(diff + "--strict-names 2>&1").status == 2);
}

TEST_CASE("a condition may name a function", "[program][ask][places]") {
  const std::string diff = "heapcheck diff " + timeline + " " + timeline + " --strict-names --fail-on ";
  CHECK(run(diff + "'type=native_bind: count > 0' 2>&1").status == 1);
  CHECK(run(diff + "'type=native_bind: count > 1000000' 2>&1").status == 0);
}

namespace {

/// A heap snapshot in which the root holds a list of `length` nodes, each of which holds the next one through
/// a variable. The node in the middle also holds a node that is not in the list.
std::string make_list_snapshot(std::size_t length) {
  std::string nodes = "1,0,1,0,1";
  std::string edges = "0,2,5";
  for (std::size_t i = 1; i <= length; ++i) {
    const bool is_middle = i == length / 2;
    nodes += fmt::format(",0,1,{},16,{}", 2 * i + 1, (i == length ? 0 : 1) + (is_middle ? 1 : 0));
    if (i != length) edges += fmt::format(",0,2,{}", 5 * (i + 1));
    if (is_middle) edges += fmt::format(",0,4,{}", 5 * (length + 1));
  }
  nodes += fmt::format(",0,3,{},16,0", 2 * length + 3);
  return fmt::format(
      R"j({{"snapshot":{{"meta":{{"node_fields":["type","name","id","self_size","edge_count"],)j"
      R"j("node_types":[["object","synthetic"],"string","number","number","number"],)j"
      R"j("edge_fields":["type","name_or_index","to_node"],)j"
      R"j("edge_types":[["context","element"],"string_or_number","node"]}},"node_count":{},"edge_count":{}}},)j"
      "\n\"nodes\":[{}],\n\"edges\":[{}],\n\"strings\":[\"\",\"Node\",\"next\",\"Other\",\"other\"]}}",
      length + 2, length + 1, nodes, edges);
}

}  // namespace

TEST_CASE("merged paths show a list in one row", "[program][ask]") {
  const Scratch scratch;
  const std::string list = scratch.file("list.heapsnapshot", make_list_snapshot(20'000));
  const std::string text = run("heapcheck path --merged " + list + " 'nodes name=Node'").out;
  CHECK(text ==
        "Name    Edge            Nodes   Paths\n"
        "(root)  -                   1  20,000\n"
        "  Node  next x 20,000  20,000  20,000\n");
  // A row with another one below it ends a fold.
  const std::string both = run("heapcheck path --merged " + list + " nodes").out;
  CHECK(both.contains("next x 10,000"));
  CHECK(both.contains("\n    Other  "));
  // Programs get all rows.
  const std::string rows = run("heapcheck path --merged " + list + " 'nodes name=Node' --output ndjson").out;
  CHECK(std::ranges::count(rows, '\n') == 20'001);
  const std::string short_list = scratch.file("short.heapsnapshot", make_list_snapshot(2));
  CHECK(!run("heapcheck path --merged " + short_list + " nodes").out.contains(" x "));
}

namespace {

/// A heap snapshot with the paths Start, Middle, End, One and Start, Middle, End, Two. A longer path also
/// leads to One, through Other.
const std::string shared_snapshot =
    R"j({"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count"],)j"
    R"j("node_types":[["object","synthetic"],"string","number","number","number"],)j"
    R"j("edge_fields":["type","name_or_index","to_node"],)j"
    R"j("edge_types":[["property","element"],"string_or_number","node"]},"node_count":11,"edge_count":11},)j"
    "\n\"nodes\":[1,0,1,0,2,\n0,1,3,16,1,\n0,2,5,16,1,\n0,3,7,16,2,\n0,4,9,900000,0,\n0,5,11,800000,0,\n0,6,"
    "13,16,1,\n0,7,15,16,1,\n0,8,17,16,1,\n0,9,19,16,1,\n0,10,21,16,1],\n\"edges\":[0,11,5,\n0,11,30,\n0,11,"
    "10,\n0,11,15,\n0,12,20,\n0,13,25,\n0,11,35,\n0,11,40,\n0,11,45,\n0,11,50,\n0,14,20],\n\"strings\":[\"\","
    "\"Start\",\"Middle\",\"End\",\"One\",\"Two\",\"A\",\"B\",\"C\",\"D\",\"Other\",\"to\",\"one\",\"two\","
    "\"also\"]}";

}  // namespace

TEST_CASE("suspects say what else holds them, and a common start of paths once", "[program][ask]") {
  const Scratch scratch;
  const std::string text = run("heapcheck suspects " + scratch.file("a.heapsnapshot", shared_snapshot)).out;
  INFO(text);
  CHECK(
      text.contains("\nOne (object) @9, retains 878.9 KiB\nOne @9 is also held by Other @21 through also\n"));
  CHECK(text.contains(
      "\n\nas in 1, down to\nEnd (object) @7, retains 781.3 KiB\n    --[ two (property) ]-->\nTwo "));
  CHECK(!text.contains("Two @11 is also held"));
}

TEST_CASE("detached nodes are counted in the summary and marked in rows", "[program][ask][detached]") {
  const std::string page = (root / "corpus/v8/heapsnapshot/seed/page.heapsnapshot").string();
  CHECK(answer("summary", page)
            .contains("\nAttached and detached nodes:\nState     Count   Size\ndetached      3  240 B\n"
                      "attached      7  464 B\n"));
  CHECK(answer("find detached", page).contains("native  Detached <span>"));
  CHECK(answer("find detached --output csv", page)
            .starts_with("id,kind,name,size,retained,file,line,column,detached\n"
                         "13,native,Detached <div>,104,"));
  CHECK(answer("find 'nodes id=13' --output ndjson", page).contains("\"detached\":true"));
  CHECK(answer("show 5 --output json", page).contains("\"detached\": false"));
  CHECK(answer("count 'nodes held-by=contexts' --output csv", page) == "count,size\n2,4128\n");
  CHECK(answer("duplicates --output ndjson --limit 1", page).contains("\"cut\":true,\"ids\":[71,73]"));
  CHECK(run("heapcheck find " + two_snapshots + " detached 2>&1").out.contains("has no detached nodes: "));
  CHECK(run("heapcheck find " + two_snapshots + " 'nodes held-by=console' 2>&1")
            .out.contains("has no held-by: "));
}
