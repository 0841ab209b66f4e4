// Tests the output of `heapcheck info`.
#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

TEST_CASE("info does not report numbers that a limit kept it from reading", "[program]") {
  const std::string dump = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
  const Outcome limited = run("heapcheck info --max-memory 10 --output json " + dump + " 2>&1");
  CHECK(limited.status == 5);
  CHECK(limited.out.find("\"strings\": null") != std::string::npos);
  CHECK(limited.out.find("\"closed\": null") != std::string::npos);
  const Outcome complete = run("heapcheck info --output json " + dump);
  CHECK(complete.out.find("\"strings\": 10") != std::string::npos);
  CHECK(complete.out.find("\"closed\": true") != std::string::npos);
}

TEST_CASE("info shows one snapshot of a dump, and reports if there is no such snapshot", "[program]") {
  const std::string dump = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
  const Outcome second = run("heapcheck info --snapshot 1 --output json " + dump);
  CHECK(second.status == 0);
  CHECK(second.out.find("\"index\": 1") != std::string::npos);
  CHECK(second.out.find("\"index\": 0") == std::string::npos);
  const Outcome third = run("heapcheck info --snapshot 2 " + dump + " 2>&1");
  CHECK(third.status == 2);
  CHECK(third.out.find("no snapshot 2: found 2 snapshots") != std::string::npos);
  CHECK(run("heapcheck info --snapshot 0 " + sound_profile + " 2>&1").status == 2);
}

TEST_CASE("info names the readers of a file, before and after a conversion", "[program]") {
  const std::string dump = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
  const std::string json = run("heapcheck info --output json " + dump).out;
  CHECK(json.find("\"readers\": [\n    \"moarperf\",\n    \"comma\"\n  ],\n") != std::string::npos);
  CHECK(json.find("\"mvmheap-v1\": [\n      \"moar-ha\"\n    ]\n") != std::string::npos);
  CHECK(run("heapcheck info " + dump).out.find("moarperf, comma; with convert --to mvmheap-v1: moar-ha") !=
        std::string::npos);
}

TEST_CASE("info prints the sizes of a compressed file before and after decompression", "[program]") {
  const std::string path = (root / "corpus/core/detect/seed/dump.gz").string();
  CHECK(run("heapcheck info " + path).out.find("  313 bytes (336 bytes compressed)\n") != std::string::npos);
  CHECK(run("heapcheck info --output json " + path).out.find("\"compressed_size\": 336") !=
        std::string::npos);
  CHECK(run("cat " + path + " | heapcheck info -").out.find(" 313 bytes after decompression\n") !=
        std::string::npos);
}

TEST_CASE("info prints the size of the whole file, whatever it could read", "[program]") {
  const std::string path = (root / "corpus/v8/heapsnapshot/seed/chrome-64.heapsnapshot").string();
  const std::string damaged = "(sed 's/\"edges\":\\[/&x/' " + path + "; head -c 3000000 /dev/zero)";
  const auto size = fs::file_size(path) + 1 + 3'000'000;
  CHECK(
      run(damaged + " | heapcheck info - 2>&1").out.contains(fmt::format("size:          {} bytes\n", size)));
}

TEST_CASE("info guesses which program wrote a file of V8", "[program]") {
  for (const auto& [seed, producer] :
       {std::pair{"heapsnapshot/seed/chrome-64.heapsnapshot",
                  "V8 6 or earlier, as in Node.js 10 and Chrome 64"},
        {"heapsnapshot/seed/node-12-stacks.heaptimeline", "V8 7 or 8, as in Node.js 12 and 14"},
        {"heapsnapshot/seed/node-16.heapsnapshot", "V8 9 or 10, as in Node.js 16 and 18"},
        {"heapsnapshot/seed/node-20.heaptimeline", "V8 11.3, as in Node.js 20"},
        {"heapsnapshot/seed/node-22-numeric.heapsnapshot", "V8 12, as in Chrome 120 and Node.js 22"},
        {"heapsnapshot/seed/node-24-stacks.heaptimeline", "V8 13 or later, as in Node.js 24"},
        {"heapsnapshot/seed/chrome-156.heapsnapshot", "V8 14 or later, as in Chrome 156"},
        {"heapsnapshot/seed/other-engine.heapsnapshot", "an engine other than V8"},
        {"heapprofile/seed/flat.heapprofile", "an early version of Chrome"},
        {"heapprofile/seed/native.heapprofile", "DevTools, from native memory"},
        {"heapprofile/seed/node-12-small.heapprofile", "Node.js before 16"},
        {"heapprofile/seed/node-20-default.heapprofile", "Node.js 16 or later"},
        {"heapprofile/seed/samples-first.heapprofile", "Node.js, by v8.startHeapProfile()"}}) {
    const std::string out = run("heapcheck info " + (root / "corpus/v8" / seed).string()).out;
    INFO(out);
    CHECK(out.contains(std::string("  producer:      ") + producer + " (a guess)\n"));
  }
  CHECK(!run("heapcheck info " + sound_profile).out.contains("producer:"));
}

TEST_CASE("a folder that may not be opened is still called a folder", "[program]") {
  const std::string folder = (root / "corpus/mvmheap").string();
  for (const std::string command : {"info ", "suspects ", "summary ", "tree "}) {
    const Outcome outcome = run("heapcheck " + command + folder + " 2>&1");
    CHECK(outcome.status == 4);
    CHECK(outcome.out == "heapcheck: " + folder + ": is a folder, not a file\n");
  }
}
