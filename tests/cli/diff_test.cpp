// Tests the output of diff and growth.
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string v2 = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
const std::string v3 = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
const std::string node = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();

std::string diff(const std::string& rest) { return run("{ heapcheck diff " + rest + "; } 2>&1").out; }

}  // namespace

TEST_CASE("a diff has a number for each snapshot", "[program][ask]") {
  CHECK(
      diff(v2 + " --snapshots 0,2 --output csv")
          .starts_with("name,trend,count_0,count_1,size_0,size_1,retained_0,retained_1,file,line,column\n"));
  CHECK(diff(v2 + " --snapshots all --output csv").starts_with("name,trend,count_0,count_1,count_2,"));
  const std::string json = diff(v2 + " " + v3 + " --output json");
  CHECK(json.contains("\"format\": \"mvmheap-v2\",\n      \"snapshot\": 2"));
  CHECK(json.contains("\"format\": \"mvmheap-v3\",\n      \"snapshot\": 1"));
}

TEST_CASE("a file does not differ from itself", "[program][ask]") {
  CHECK(diff(v2 + " " + v2 + " " + v2 + " --output ndjson 2>/dev/null").empty());
  CHECK(diff(v2 + " --snapshots 1,1 --of kinds --output ndjson 2>/dev/null").empty());
  CHECK(diff(v2 + " " + v2).contains("two snapshots contain the same nodes"));
}

TEST_CASE("a diff shows changes with their signs", "[program][ask]") {
  const std::string up = diff(v2 + " --snapshots 0,2 --by count --limit 1");
  CHECK(up.contains("VMString  grown    178      +5  13.8 KiB  +260 B  "));
  const std::string down = diff(v2 + " --snapshots 2,0 --by count --limit 1");
  CHECK(down.contains("VMString  shrunk    173      -5  13.5 KiB  -260 B  "));
}

TEST_CASE("growth shows all snapshots, and rows that do not change", "[program][ask]") {
  const std::string csv = run("heapcheck growth " + v2 + " --output csv --limit 0").out;
  CHECK(csv.starts_with("name,trend,count_0,count_1,count_2,size_0,"));
  CHECK(csv.contains(",same,"));
  CHECK(run("heapcheck growth " + v2 + " --limit 1")
            .out.contains("snapshot 2:\n\nName      Trend  Count  Last  Change  "));
  CHECK(run("heapcheck growth " + v2 + " --limit 1").out.contains("more; --limit N shows N rows\n"));
  CHECK(run("heapcheck growth " + node + " --limit 3").status == 0);
}

TEST_CASE("growth takes the snapshots of several files", "[program][ask]") {
  const Outcome grown = run("heapcheck growth " + v2 + " " + v3 + " --output csv");
  CHECK(grown.status == 0);
  CHECK(grown.out.contains(",count_3,count_4,size_0,"));
}

TEST_CASE("a condition about a type that no snapshot has is noted", "[program][ask]") {
  const std::string growth = "heapcheck growth " + v2 + " --fail-on ";
  const Outcome unknown = run(growth + "'type=\"VMStrin\": count > 1' 2>&1 >/dev/null");
  CHECK(unknown.status == 0);
  CHECK(unknown.out == "heapcheck: --fail-on: found no VMStrin in any snapshot; did you mean VMString\n");
  CHECK(run(growth + "'type~\"VMStrin\": count > 1' 2>&1 >/dev/null").status == 1);
}

TEST_CASE("conditions that hold are printed and set the exit status", "[program][ask]") {
  const Outcome kept =
      run("heapcheck diff " + v2 + " --snapshots 0,2 --fail-on 'count > +1000' 2>&1 >/dev/null");
  CHECK(kept.status == 0);
  CHECK(kept.out.empty());
  const Outcome broken = run("heapcheck growth " + v2 +
                             " --fail-on 'size < 10%' --fail-on 'type=Foo: count < 1' 2>&1 >/dev/null");
  CHECK(broken.status == 1);
  CHECK(broken.out.contains("the whole heap: found size +"));
  CHECK(broken.out.contains("), expected at least +10 %\n"));
  CHECK(broken.out.contains("Foo: found count 0, expected at least 1\n"));
  CHECK(diff(v2 + " --snapshots 0,2 --fail-on 'retained < 18446744073709551615'")
            .contains("expected at least 16.0 EiB\n"));
}

TEST_CASE("wrong conditions and lists of snapshots are named before any file is read", "[program][ask]") {
  CHECK(run("heapcheck growth none --fail-on 'colour > 1' 2>&1").status == 2);
  CHECK(
      diff("none none --fail-on 'colour > 1'")
          .contains("--fail-on: in the condition, found \"colour\" at character 1, expected type, count, "));
  CHECK(diff("none").contains("found 1 file, expected two or three files, or one file and --snapshots"));
  CHECK(diff("none none --snapshots all").contains("found 2 files and --snapshots, expected "));
  CHECK(diff("none none --by siz").contains("retained or cumulative; did you mean size"));
  CHECK(diff("none none --fail-on 'siz > 1'").ends_with("count, size or retained; did you mean size\n"));
  CHECK(diff("none --snapshots al").ends_with("numbers such as 0,3; did you mean all\n"));
  CHECK(diff("none --snapshots 0,,1")
            .contains("--snapshots: found 0,,1, expected all, or two or more numbers"));
  CHECK(diff("none --snapshots 3").contains("--snapshots: found 3, expected all, or two or more numbers"));
  CHECK(diff(v2 + " --snapshots 0,9").contains("no snapshot 9: found 3 snapshots"));
}

TEST_CASE("three files are compared step by step", "[program][ask]") {
  const std::string text = diff(v2 + " " + v3 + " " + v2 + " --of kinds");
  CHECK(text.starts_with("Numbers in 2, and changes between:\n\n0: " + v2 + ", snapshot 2\n1: " + v3 +
                         ", snapshot 1\n2: " + v2 + ", snapshot 2\n\n"));
  CHECK(text.contains("Count  0 to 1  1 to 2  "));
  CHECK(diff(v2 + " " + v3 + " " + v2 + " --of kinds --output csv").contains(",same,"));
}

TEST_CASE("a file with one snapshot has no changes", "[program][ask]") {
  const Outcome outcome = run("heapcheck diff " + node + " --snapshots all --output ndjson");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
}

TEST_CASE("the growth of one snapshot says that there is nothing to compare", "[program][ask]") {
  const std::string sentence = "found one snapshot, so nothing shows what changed; expected several";
  CHECK(run("heapcheck growth " + node + " 2>&1").out.contains(sentence));
  CHECK(!run("heapcheck growth " + node + " " + node + " 2>&1").out.contains(sentence));
  CHECK(!run("heapcheck growth " + v2 + " 2>&1").out.contains(sentence));
}

TEST_CASE("one snapshot does not decide a condition on a change", "[program][ask]") {
  const auto status = [](const std::string& condition) {
    return run("heapcheck growth " + node + " --fail-on '" + condition + "' 2>&1").status;
  };
  CHECK(status("size > +1") == 5);
  CHECK(status("size > 1%") == 5);
  CHECK(status("size > 1") == 1);
  CHECK(status("size < 1") == 0);
}

TEST_CASE("a MoarVM dump says whether it is a later one of the same process", "[program][ask]") {
  const std::string seeds = (root / "corpus/mvmheap/v3/seed").string();
  const std::string two = seeds + "/two-snapshots.mvmheap";
  const std::string one = seeds + "/one-snapshot.mvmheap";  // the first snapshot of the same process
  const std::string other = seeds + "/moar-2022.12-nqp.mvmheap";
  const std::string early = "a snapshot is older than the one before it, as their times show";
  const std::string foreign = "the snapshots are from different processes, as the dumps state";
  CHECK(!diff(two + " --snapshots 0,1").contains("heapcheck: "));
  for (const std::string command : {"heapcheck growth ", "heapcheck diff ", "heapcheck suspects "}) {
    INFO(command);
    CHECK(run(command + two + " " + one + " 2>&1").out.contains(early));
    CHECK(!run(command + one + " " + two + " 2>&1").out.contains("snapshot was made before"));
    CHECK(run(command + one + " " + other + " 2>&1").out.contains(foreign));
  }
  // Dumps of other versions do not say when they were made.
  CHECK(!diff(v2 + " --snapshots 2,0").contains("heapcheck: "));
}

TEST_CASE("what a dump does not have is not compared", "[program][ask]") {
  const Outcome refused = run("heapcheck diff " + node + " --snapshots 0,0 --of allocators 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out ==
        "heapcheck: " + node + ": has no allocators, expected objects, strings, closures or kinds\n");
  CHECK(
      run("heapcheck growth " + node + " --of types 2>&1").out.contains(": has no types, expected objects"));
  CHECK(diff(v2 + " --snapshots 0,2 --of strings")
            .contains(": has no strings, expected objects, types, stables, frames or kinds\n"));
  CHECK(diff(v2 + " --snapshots 0,2 --of types --output json").contains("\"of\": \"types\""));
}

TEST_CASE("heaps of different runtimes are not compared", "[program][ask]") {
  const Outcome refused = run("heapcheck diff " + v2 + " " + node + " 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("found a V8 heap snapshot, expected a MoarVM heap dump, version 2, like "));
}

TEST_CASE("a damaged file is not compared without --force", "[program][ask]") {
  CHECK(run("heapcheck diff " + v3 + " " + cut_dump + " 2>&1").status == 4);
  CHECK(run("heapcheck diff --force " + v3 + " " + cut_dump + " 2>/dev/null").status == 0);
  // The second snapshot of the dump is not complete, so it is left out.
  const Outcome growth = run("heapcheck growth --force --output json " + cut_dump + " 2>/dev/null");
  CHECK(growth.status == 0);
  CHECK(growth.out.contains("\"snapshot\": 0\n"));
  CHECK_FALSE(growth.out.contains("\"snapshot\": 1"));
}

TEST_CASE("a condition is refused if a trace has no heap", "[program][diff]") {
  const Scratch scratch;
  const std::string none = scratch.file("none.json", R"({"traceEvents":[]})");
  const std::string heap = (root / "corpus/chrome/legacy/seed/hierarchy.json").string();
  CHECK(run("heapcheck growth " + none + " 2>&1").status == 0);
  for (const std::string& files : {none, heap + " " + none, none + " " + none}) {
    const Outcome outcome = run("heapcheck growth --fail-on 'size > +1' " + files + " 2>&1");
    INFO(outcome.out);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains("--fail-on: "));
  }
  CHECK(run("heapcheck diff --fail-on 'size > +1' " + none + " " + none + " 2>&1").status == 2);
}
