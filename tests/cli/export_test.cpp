// Tests of `heapcheck export` with the program itself.
#include <iterator>
#include <string>
#include <string_view>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string seeds = (root / "corpus/mvmheap").string();
const std::string two = seeds + "/v3/seed/two-snapshots.mvmheap";

std::ptrdiff_t count_files(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

TEST_CASE("export writes a file, or to standard output", "[program][export]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out.txt").string();
  const Outcome done = run("heapcheck export --to collapsed " + sound_profile + " -o " + out + " 2>&1");
  CHECK(done.status == 0);
  CHECK(done.out.starts_with(out + ": collapsed\n  stacks: "));
  CHECK(run("heapcheck export --to collapsed " + sound_profile + " -o - 2>/dev/null").out == read(out));
  CHECK(run("cat " + sound_profile + " | heapcheck export --to collapsed - -o - 2>/dev/null").out ==
        read(out));
  CHECK(run("heapcheck export --quiet --to collapsed " + sound_profile + " -o " + out + " 2>&1").out.empty());
}

TEST_CASE("snapshots that are left out because they are damaged are a loss", "[program][export]") {
  const std::string cut = seeds + "/v3/seed/cut.mvmheap";
  const Outcome done =
      run("heapcheck export --to csv --table types --all-snapshots --force " + cut + " -o - 2>&1 >/dev/null");
  CHECK(done.status == 3);
  CHECK(done.out.contains("snapshots: 1 (damaged)"));
}

TEST_CASE("export takes one snapshot, or numbers the files of all", "[program][export]") {
  const Scratch scratch;
  const auto path = [&](const std::string& name) { return (scratch.path() / name).string(); };
  const std::string to = "heapcheck export --to heapsnapshot " + two + " -o ";
  CHECK(run(to + path("last.heapsnapshot")).status == 0);
  CHECK(run(to + path("first.heapsnapshot") + " --snapshot 0").status == 0);
  const Outcome all = run(to + path("all.heapsnapshot") + " --all-snapshots");
  CHECK(all.status == 0);
  CHECK(all.out.contains(path("all-0.heapsnapshot") + ": heapsnapshot\n"));
  CHECK(all.out.contains(path("all-1.heapsnapshot") + ": heapsnapshot\n  nodes: "));
  CHECK(all.out.contains("  note: an id identifies the N-th node"));
  CHECK(read(path("all-0.heapsnapshot")) == read(path("first.heapsnapshot")));
  CHECK(read(path("all-1.heapsnapshot")) == read(path("last.heapsnapshot")));
  CHECK(count_files(scratch.path()) == 4);
  CHECK(run(to + path("x") + " --all-snapshots --snapshot 1 2>&1").status == 2);
  CHECK(run(to + path("x") + " --snapshot 2 2>&1").out.contains("no snapshot 2"));
}

TEST_CASE("the names of files of tables end with their form, also in a folder", "[program][export]") {
  const Scratch scratch;
  const std::string folder = scratch.path("tables");
  CHECK(run("mkdir " + folder).status == 0);
  for (const std::string form : {"csv", "ndjson", "parquet"}) {
    const std::string to = "heapcheck export --to " + form + " " + two + " -o ";
    CHECK(run(to + scratch.path("heap")).status == 0);
    CHECK(run(to + scratch.path("same." + form)).status == 0);
    CHECK(run(to + folder).status == 0);
    const std::string nodes = read(scratch.path("same-nodes." + form));
    CHECK(read(scratch.path("heap-nodes." + form)) == nodes);
    CHECK(read(folder + "/nodes." + form) == nodes);
  }
  CHECK(run("heapcheck export --to csv --table nodes " + two + " -o " + scratch.path("x")).status == 0);
  CHECK(read(scratch.path("x")) == read(folder + "/nodes.csv"));
}

TEST_CASE("export refuses what it cannot do, and leaves nothing behind", "[program][export]") {
  const Scratch scratch;
  const std::string folder = scratch.path().string();
  const std::string copy = scratch.file("a.mvmheap", read(two));
  const Outcome same = run("heapcheck export --to collapsed " + copy + " -o " + copy + " 2>&1");
  CHECK(same.status == 2);
  CHECK(same.out.contains("is the input, which is never replaced"));
  CHECK(read(copy) == read(two));
  const std::string trace = (root / "corpus/chrome/heaps_v2/seed").string() + "/*";
  const Outcome graph =
      run("heapcheck export --to heapsnapshot $(ls " + trace + " | head -n 1) -o " + folder + "/x 2>&1");
  CHECK(graph.status == 2);
  CHECK(graph.out.contains("has no object graph, which heapsnapshot needs"));
  const Outcome full = run("heapcheck export --to collapsed " + two + " -o /dev/full 2>&1");
  CHECK(full.status == 2);
  CHECK(full.out.contains("/dev/full: cannot be written: No space left on device"));
  CHECK(run("heapcheck export --to svg " + two + " -o " + folder + "/x 2>&1").status == 2);
  CHECK(run("heapcheck export --to collapsed " + two + " 2>&1").status == 2);
  CHECK(run("heapcheck export --to collapsed " + folder + "/missing -o " + folder + "/x 2>&1").status == 4);
  CHECK(run("heapcheck export --to collapsed --max-memory 1 " + two + " -o " + folder + "/x 2>&1").status ==
        5);
  CHECK(
      run("heapcheck export --to collapsed " + seeds + "/v3/seed/minimal.mvmheap -o /proc/nonexistent/x 2>&1")
          .status == 2);
  const Outcome all = run("heapcheck export --to collapsed --all-snapshots " + two + " -o - 2>&1");
  CHECK(all.status == 2);
  CHECK(all.out.contains("--all-snapshots: collapsed writes one snapshot to each file; use -o FILE"));
  CHECK(count_files(scratch.path()) == 1);
}

TEST_CASE("export writes tables to a database, or each to a file", "[program][export]") {
  const Scratch scratch;
  const auto path = [&](const std::string& name) { return (scratch.path() / name).string(); };
  const Outcome database = run("heapcheck export --to sqlite --all-snapshots " + two + " -o " + path("a.db"));
  CHECK(database.status == 0);
  CHECK(database.out.contains(path("a.db") + ": sqlite\n  snapshots: 2, nodes: "));
  CHECK(read(path("a.db")).starts_with("SQLite format 3"));
  const Outcome files = run("heapcheck export --to csv " + sound_profile + " -o " + path("b.csv"));
  CHECK(files.status == 0);
  CHECK(files.out.contains(path("b-stacks.csv") + ": csv\n"));
  CHECK(count_files(scratch.path()) == 4);
  const std::string one =
      run("heapcheck export --quiet --to csv --table stacks " + sound_profile + " -o -").out;
  CHECK(one == read(path("b-stacks.csv")));
}

TEST_CASE("export refuses tables that it cannot write, and leaves nothing behind", "[program][export]") {
  const Scratch scratch;
  const std::string to = " -o " + scratch.path().string() + "/x 2>&1";
  const auto refuses = [](const std::string& command, std::string_view why) {
    const Outcome outcome = run("heapcheck export " + command);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains(why));
  };
  refuses("--to csv --table stacks " + two + to,
          "has no table stacks, only snapshots, nodes, edges, types, strings");
  refuses("--to csv --table nodes " + sound_profile + to,
          "has no table nodes, only snapshots, stacks, allocations");
  refuses("--to csv --table node " + two + to, "nodes");
  refuses("--to pprof --table nodes " + two + to, "--table: the form pprof has no tables");
  refuses("--to pprof --shard 1/2 " + two + to, "--shard: the form pprof has no tables");
  refuses("--to csv --shard 3/2 " + two + to, "--shard: found 3/2, expected I/N");
  refuses("--to csv " + two + " -o - 2>&1", "holds only one table; choose it with --table, or use -o FILE");
  refuses("--to sqlite " + two + " -o /dev/full 2>&1", "is not a regular file, which a database needs");
  refuses("--to ndjson --table edges " + two + " -o /dev/full 2>&1",
          "cannot be written: No space left on device");
  CHECK(count_files(scratch.path()) == 0);
  fs::create_directory(scratch.path() / "x-types.csv");
  refuses("--to csv " + two + " -o " + scratch.path().string() + "/x.csv 2>&1",
          "x.csv: the file of the table types is a folder, not a file");
  CHECK(count_files(scratch.path()) == 1);
}

TEST_CASE("the intact parts of a damaged dump are exported on request", "[program][export]") {
  const Scratch scratch;
  const std::string damaged = seeds + "/v3/seed/cut.mvmheap";
  const std::string out = (scratch.path() / "x").string();
  const Outcome refused = run("heapcheck export --to heapsnapshot " + damaged + " -o " + out + " 2>&1");
  CHECK(refused.status == 4);
  CHECK(refused.out.contains("`heapcheck recover` keeps the intact parts"));
  CHECK(!fs::exists(out));
  CHECK(run("heapcheck export --force --to heapsnapshot " + damaged + " -o " + out + " 2>&1").status == 0);
  CHECK(run("heapcheck validate " + out).status == 0);
}
