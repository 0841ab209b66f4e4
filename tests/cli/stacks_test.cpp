// Tests the output of the commands about allocations by call stack.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string legacy = (root / "corpus/chrome/legacy/seed/chrome-64-small.json").string();
const std::string heaps_v2 = (root / "corpus/chrome/heaps_v2/seed/chrome-120-small.json").string();
/// Dumps 0 and 3 are about the browser.
const std::string processes = (root / "corpus/chrome/heaps_v2/seed/chrome-120-processes.json").string();
const std::string profile = (root / "corpus/v8/heapprofile/seed/node-12-small.heapprofile").string();

const std::string with_stacks =
    (root / "corpus/v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline").string();

const std::string memory_dumps = (root / "corpus/chrome/trace/seed/chromium-156-memory-dumps.json").string();
const std::string tcmalloc = (root / "corpus/chrome/trace/seed/tcmalloc-2013.json").string();
const std::string without_counts =
    (root / "corpus/chrome/legacy/seed/chromium-2016-without-counts.json").string();

std::string stacks(const std::string& words) { return run("heapcheck " + words + " 2>&1").out; }

}  // namespace

TEST_CASE("frames, types and allocators of a Chrome dump are counted", "[program][ask]") {
  CHECK(stacks("top " + legacy + " frames --output csv")
            .starts_with("name,count,size,cumulative,file,line,column\n"));
  CHECK(stacks("top " + legacy + " allocators --output csv") ==
        "name,count,size,cumulative,file,line,column\nmalloc,15795,3275891,3275891,,,\n");
  CHECK(stacks("top " + legacy + " types --snapshot 0 --output ndjson").contains("{\"name\":\"[unknown]\","));
  CHECK(stacks("top " + heaps_v2 + " allocators --snapshot 0").contains("malloc  36,937  4.2 MiB"));
  CHECK(stacks("top " + legacy + " frames by cumulative --limit 1").contains("(root)"));
  CHECK(stacks("top " + legacy + " frames by cumulative --output json").contains("\"by\": \"cumulative\""));
}

TEST_CASE("frames of a sampling profile are counted without a number of objects", "[program][ask]") {
  CHECK(stacks("top " + profile + " frames --limit 1")
            .contains("mk (user/s.js:3)      -  78.8 KiB   168.2 KiB"));
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
  CHECK(std::ranges::count(stacks("tree " + legacy), '\n') == 24);
}

TEST_CASE("Chrome's dumps are compared by frame unless something else is named", "[program][ask]") {
  const std::string diff = "diff " + processes + " --snapshots 0,3 ";
  CHECK(stacks(diff + "--output csv")
            .starts_with("name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1,file,line,"
                         "column,process\n"));
  CHECK(stacks(diff + "--output json").contains("\"of\": \"frames\",\n  \"by\": \"cumulative\","));
  CHECK(
      stacks(diff + "--of allocators --output csv").contains("\nmalloc,grown,50482,68243,5500000,7500000,"));
  const Outcome broken =
      run("heapcheck " + diff + " --of allocators --fail-on 'type=malloc: cumulative > +1M' 2>&1 >/dev/null");
  CHECK(broken.status == 1);
  CHECK(broken.out.contains("malloc: found cumulative +1.9 MiB"));
  CHECK(stacks(diff + "--of objects").contains(": has no objects, expected frames, types or allocators\n"));
  CHECK(stacks("growth " + profile + " --of objects").contains(": has no objects, expected frames or kinds"));
  CHECK(stacks("diff " + legacy + " " + profile)
            .contains("found a V8 sampling heap profile, expected a Chrome"));
}

TEST_CASE("a summary lists Chrome's dumps with their processes and allocators", "[program][ask]") {
  CHECK(stacks("summary " + legacy + " --output csv") ==
        "index,process,process_type,pid,dump,count,size\n"
        "0,Renderer 18199,Renderer,18199,0x1,8871,1082900\n"
        "1,HeadlessBrowser 18175,HeadlessBrowser,18175,0x1,15795,3275891\n");
  CHECK(stacks("summary " + legacy).contains("Allocators of snapshot 1:\n"));
  CHECK(!stacks("summary " + legacy).contains("Change"));
  CHECK(stacks("summary " + processes + " --process browser").contains("+1.9 MiB\n"));
}

TEST_CASE("a damaged trace gives no answer without --force", "[program][ask]") {
  const std::string broken = (root / "corpus/chrome/legacy/seed/broken.json").string();
  const Outcome refused = run("heapcheck top " + broken + " frames 2>&1");
  CHECK(refused.status == 4);
  CHECK(refused.out.contains("`heapcheck recover` keeps the intact parts"));
  const Outcome forced = run("heapcheck top --force " + broken + " frames 2>/dev/null");
  CHECK(forced.status == 0);
  CHECK(forced.out.contains("\nName"));
}

TEST_CASE("an answer about a trace without heap dumps says what the trace holds", "[program][ask]") {
  const std::string holds =
      ": contains no heap dump, only 2 memory dumps without heaps, of the processes Browser 3161,";
  const std::vector<std::string> questions = {
      "summary ",  "top ",      "tree ",       "growth ",      "diff " + memory_dumps + " ",
      "suspects ", "retained ", "dominators ", "unreachable ", "duplicates "};
  for (const std::string& words : questions) {
    INFO(words);
    const std::string command = "heapcheck " + words + memory_dumps + (words == "top " ? " frames" : "");
    const Outcome text = run(command);
    CHECK(text.status == 0);
    CHECK(text.out.starts_with(memory_dumps + holds));
    const Outcome json = run(command + " --output json 2>/dev/null");
    CHECK(json.status == 0);
    const std::string rows = words == "summary " ? "snapshots" : words == "suspects " ? "suspects" : "rows";
    CHECK(json.out.contains("\"" + rows + "\": []"));
    // The other forms have no place for the sentence.
    CHECK(run(command + " --output csv 2>&1").out.contains(holds));
  }
  for (const std::string command : {"heapcheck find {} nodes", "heapcheck count {} nodes",
                                    "heapcheck shell {} </dev/null", "echo top | heapcheck shell {}"}) {
    std::string whole = command;
    whole.replace(whole.find("{}"), 2, memory_dumps);
    const Outcome outcome = run(whole);
    INFO(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.starts_with(memory_dumps + holds));
    CHECK(std::ranges::count(outcome.out, '\n') == 1);
  }
  CHECK(stacks("summary " + tcmalloc).contains("`memory::Heap` events, which Chrome wrote in 2013"));
  CHECK(stacks("validate " + tcmalloc).contains("note: the trace contains 2 heap dumps of process 26877"));
  CHECK(stacks("validate " + memory_dumps)
            .contains("note: the trace contains no heap dump, only 2 memory dumps"));
}

TEST_CASE("an answer about a MoarVM dump without snapshots says so", "[program][ask]") {
  const std::string dump = (root / "corpus/mvmheap/v1/seed/moar-2016.04-zero-snapshots.txt").string();
  for (const std::string words : {"summary {}", "top {} objects", "growth {}", "diff {} {}", "suspects {}",
                                  "retained {}", "dominators {}", "unreachable {}", "duplicates {}",
                                  "find {} nodes", "count {} nodes", "shell {} </dev/null"}) {
    std::string command = "heapcheck " + words;
    for (std::size_t at = 0; (at = command.find("{}")) != std::string::npos;) command.replace(at, 2, dump);
    const Outcome outcome = run(command);
    INFO(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.out == dump + ": contains no snapshot\n");
  }
  for (const std::string words : {"show {} 5", "export {} --to csv -o x", "growth {} --fail-on 'size > 1'"}) {
    std::string command = "heapcheck " + words + " 2>&1";
    command.replace(command.find("{}"), 2, dump);
    const Outcome outcome = run(command);
    INFO(command);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains(": contains no snapshot"));
  }
}

TEST_CASE("a trace without heap dumps is described once if it is compared with itself", "[program][ask]") {
  for (const std::string words : {"diff ", "growth "}) {
    const std::string sentence = ": contains no heap dump";
    const std::string out = run("heapcheck " + words + memory_dumps + " " + memory_dumps).out;
    CHECK(out.find(sentence) != std::string::npos);
    CHECK(out.find(sentence) == out.rfind(sentence));
  }
}

TEST_CASE("an answer that does not follow is not announced with --force", "[program][ask]") {
  // The tables come last, and are missing.
  const std::string unfinished = (root / "corpus/mvmheap/v2/case/file-unfinished-b.mvmheap").string();
  const Outcome outcome = run("heapcheck summary --force " + unfinished + " 2>&1");
  CHECK(outcome.status == 4);
  CHECK(outcome.out.contains("file ends after a snapshot, expected a complete index; "));
  CHECK(outcome.out.contains(
      "; the intact parts are not enough for an answer, but `heapcheck recover` may keep some\n"));
  CHECK(std::ranges::count(outcome.out, '\n') == 1);
}

TEST_CASE("what cannot be done with a trace without heap dumps is refused with its content",
          "[program][ask]") {
  for (const std::string_view words :
       {"show {} 5", "export {} --to csv -o x", "report {} -o x", "convert {} --to heaps-v2 -o x"}) {
    std::string command = "heapcheck " + std::string(words) + " 2>&1";
    command.replace(command.find("{}"), 2, memory_dumps);
    const Outcome outcome = run(command);
    INFO(command);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains(": contains no heap dump, only 2 memory dumps without heaps"));
  }
}

TEST_CASE("a trace without heap dumps is left out of growth, but cannot be compared", "[program][ask]") {
  const Outcome growth = run("heapcheck growth " + legacy + " " + memory_dumps + " --limit 1 2>&1");
  CHECK(growth.status == 0);
  CHECK(growth.out.contains("heapcheck: " + memory_dumps + ": contains no heap dump, only"));
  for (const std::string& files : std::vector{legacy + " " + memory_dumps, memory_dumps + " " + legacy}) {
    const Outcome diff = run("heapcheck diff " + files + " 2>&1");
    CHECK(diff.status == 2);
    CHECK(diff.out.starts_with("heapcheck: " + memory_dumps + ": contains no heap dump, only"));
  }
}

TEST_CASE("an unknown number of objects is not 0", "[program][ask]") {
  CHECK(stacks("summary " + without_counts).contains("\n       0  7        0x1       -  77 B\n"));
  CHECK(stacks("summary " + without_counts + " --output csv").ends_with("\n0,7,,7,0x1,,77\n"));
  CHECK(stacks("summary " + without_counts + " --output json").contains("\"count\": null"));
  CHECK(stacks("top " + without_counts + " types").contains("bool        -  48 B        48 B\n"));
  CHECK(stacks("tree " + without_counts).contains("(root)                -   0 B        77 B\n"));
  CHECK(stacks("growth " + without_counts).contains("(root)        same       -     -       -   0 B "));
  CHECK(stacks("growth " + without_counts + " --output json").contains("\"count\": null"));
  CHECK(stacks("growth " + without_counts + " --output csv").contains("\n(root),same,,0,77,,,,7\n"));
  const std::string hierarchy = (root / "corpus/chrome/legacy/seed/hierarchy.json").string();
  const std::string csv = stacks("diff " + without_counts + " " + hierarchy + " --output csv");
  CHECK(csv.starts_with(
      "name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1,file,line,column,process\n"));
  CHECK(csv.contains("\nInitialize,gone,,,49,0,49,0,,,,7\n"));
  CHECK(stacks("info " + without_counts + " --output json").contains("\"objects\": null"));
  CHECK(stacks("export " + without_counts + " --to csv --table allocations -o - --quiet")
            .contains("malloc,10,\n"));
  const Outcome refused = run("heapcheck growth " + without_counts + " --fail-on 'count > 0' 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("the dumps do not state how many objects there are"));
}

TEST_CASE("the page shows an unknown number of objects as unknown", "[program][ask]") {
  const std::string json = stacks("report " + without_counts + " --json -o -");
  CHECK(json.contains("\"count\": null"));
  // Only the number of names that are left out is known.
  CHECK(json.find("\"count\": 0") == json.rfind("\"count\": 0"));
}

TEST_CASE("a timeline shows what each function allocated that is alive, and in all", "[program][ask]") {
  CHECK(stacks("top " + with_stacks + " frames --output csv 2>/dev/null")
            .contains("\nLeakyThing,3,192,192,3067,372952,file:///home/me/page.html,2,29\n"));
  CHECK(stacks("top " + with_stacks + " frames").contains("left out 252 nodes (12.3 KiB) without a stack"));
  CHECK(stacks("tree " + with_stacks + " --output csv")
            .contains("\nLeakyThing,3,1,124,124,796,98584,file:///home/me/page.html,2,29\n"));
  CHECK(stacks("tree " + with_stacks + " --inverted").contains("\n    leak (me/page.html:3) "));
  CHECK(stacks("diff " + with_stacks + " " + with_stacks + " --of frames --output csv 2>/dev/null")
            .starts_with(
                "name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1,file,line,column"));
  for (const std::string command : {"diff ", "growth "}) {
    const std::string notes = stacks(command + with_stacks + " " + with_stacks + " --of frames");
    const std::size_t note = notes.find("left out up to 252 nodes (12.3 KiB) without a stack");
    CHECK(note != std::string::npos);
    CHECK(note == notes.rfind("left out"));
  }
  CHECK(stacks("growth " + with_stacks + " --of frames --fail-on 'type=LeakyThing: size > 100'")
            .contains("LeakyThing (me/page.html:2): found size 192 B, expected at most 100 B"));
}

TEST_CASE("the stack of a node in a timeline is shown, innermost first", "[program][ask]") {
  CHECK(stacks("show " + with_stacks + " 63817").ends_with("\nallocated by:\nName\n(V8 API)\n(root)\n"));
  CHECK(stacks("show " + with_stacks + " 63817 --output json")
            .contains("\"stack\": [\n    {\n      \"name\": \"(V8 API)\",\n      \"place\": null\n    },"));
  CHECK(stacks("show " + with_stacks + " 1 --output json").contains("\"stack\": []"));
}

TEST_CASE("a snapshot without stacks or samples says so", "[program][ask]") {
  const std::string snapshot = (root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string();
  for (const std::string& command : {"top " + snapshot + " frames", "tree " + snapshot}) {
    const Outcome refused = run("heapcheck " + command + " 2>&1");
    CHECK(refused.status == 2);
    CHECK(
        refused.out.contains("has no allocation stacks; they are recorded by DevTools' allocation timeline"));
  }
  CHECK(stacks("find " + snapshot + " 'nodes allocated>2s'").contains("found no samples"));
  CHECK(!stacks("summary " + snapshot).contains("allocated"));
  CHECK(!stacks("show " + snapshot + " 1 --output json").contains("stack"));
}

TEST_CASE("a timeline is summarised and searched by time", "[program][ask]") {
  const std::string other = (root / "corpus/v8/heapsnapshot/seed/node-20.heaptimeline").string();
  CHECK(stacks("summary " + other).contains("\n1.573 s  1.694 s      2     144 B\n"));
  CHECK(stacks("summary " + other + " --output json")
            .contains("\"times\": [\n        {\n          \"from\": null,\n"
                      "          \"to\": 0,"));
  CHECK(stacks("count " + other + " 'nodes allocated>1573ms' --output csv") == "count,size\n2,144\n");
  CHECK(stacks("count " + other + " 'nodes allocated=0s' --output csv").starts_with("count,size\n276,"));
}

TEST_CASE("the stacks of a timeline are exported with what is alive", "[program][export]") {
  CHECK(stacks("export " + with_stacks + " --to collapsed -o - --quiet")
            .contains("leak (file:///home/me/page.html:3);LeakyThing (file:///home/me/page.html:2) 124\n"));
  CHECK(stacks("export " + with_stacks + " --to dhat -o - --quiet").contains("\"verb\":\"Allocated\""));
  CHECK(stacks("report " + with_stacks + " --json -o - --quiet").contains("\"of\": \"inverted\""));
}
