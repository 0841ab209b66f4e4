// Tests the commands that write dumps, convert and recover, as their users see them.
#include <fmt/format.h>

#include <string>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

struct Recovered {
  std::string cut;    ///< path of the damaged file
  std::string whole;  ///< path of the recovered file
  std::string out;
};

/// Recovers a truncated seed, parts of which are lost.
Recovered recover_cut_seed(const Scratch& scratch, const fs::path& seed) {
  const std::string cut = (root / "corpus" / seed).string();
  const std::string whole = scratch.path("whole" + seed.extension().string());
  const Outcome outcome = run("heapcheck recover " + cut + " -o " + whole);
  CHECK(outcome.status == 3);
  return {cut, whole, outcome.out};
}

}  // namespace

TEST_CASE("convert writes a valid dump and never replaces its input by accident", "[program]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const std::string out = (scratch.path() / "b.mvmheap").string();
  CHECK(run("heapcheck convert --to mvmheap-v3 " + dump + " -o " + out).status == 0);
  CHECK(read(out) == read(sound_dump));
  CHECK(run("heapcheck convert --to mvmheap-v3 " + dump + " -o " + dump + " 2>&1").status == 2);
  CHECK(run("heapcheck convert --to mvmheap-v3 " + dump + " 2>&1").status == 2);
  CHECK(run("heapcheck convert --to mvmheap-v9 " + dump + " -o " + out + " 2>&1").status == 2);
  CHECK(run("heapcheck convert --to mvmheap-v3 --in-place " + dump).status == 0);
  CHECK(read(dump) == read(sound_dump));
  CHECK(
      run("cat " + dump + " | heapcheck convert --to mvmheap-v3 - -o - 2>/dev/null | cmp - " + dump).status ==
      0);
}

TEST_CASE("an input is replaced only if it is the one output, and not by a plain file if it is compressed",
          "[program]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const std::string packed = scratch.file("b.gz", read(root / "corpus/core/detect/seed/dump.gz"));
  for (const std::string command : {"convert --to mvmheap-v3", "recover"}) {
    const Outcome both = run(fmt::format("heapcheck {} --in-place {} -o {}.new 2>&1", command, dump, dump));
    CHECK(both.status == 2);
    CHECK(both.out == "heapcheck: found both -o OUT and --in-place, expected only one of them\n");
    const Outcome compressed = run(fmt::format("heapcheck {} --in-place {} 2>&1", command, packed));
    CHECK(compressed.status == 2);
    CHECK(compressed.out ==
          "heapcheck: " + packed + ": is compressed, and --in-place would write a plain file; use -o FILE\n");
  }
  CHECK(scratch.file_count() == 2);
  CHECK(read(packed) == read(root / "corpus/core/detect/seed/dump.gz"));
}

TEST_CASE("a result that cannot be checked completely replaces nothing", "[program]") {
  const Scratch scratch;
  const std::string text = (root / "corpus/mvmheap/v1/seed/two-snapshots.txt").string();
  const std::string out = scratch.file("out", "old");
  for (const std::string command : {"convert", "recover"}) {
    // Only the result has frames, to which the limit applies.
    const Outcome outcome = run(fmt::format(
        "heapcheck {} {} -o {} --to mvmheap-v3 --allow-loss --max-expanded 10 2>&1", command, text, out));
    CHECK(outcome.status == 5);
    CHECK(outcome.out.contains("the output could not be checked (frame decompresses to more than the limit"));
    CHECK(read(out) == "old");
  }
  CHECK(scratch.file_count() == 1);
}

TEST_CASE("the result keeps the times of the input on request", "[program]") {
  const Scratch scratch;
  const std::string dump = scratch.file("a.mvmheap", read(sound_dump));
  const auto time_of = [](const std::string& path) { return run("stat -c '%x %y' " + path).out; };
  for (const std::string command : {"convert --to mvmheap-v3", "recover"}) {
    REQUIRE(run("touch -d '2001-02-03 04:05:06.789' " + dump).status == 0);
    const std::string before =
        time_of(dump).substr(30);  // the modification time; reading changes the access time
    CHECK(run("heapcheck " + command + " --in-place --keep-times " + dump).status == 0);
    CHECK(time_of(dump).substr(30) == before);
    CHECK(run("heapcheck " + command + " --in-place " + dump).status == 0);
    CHECK(time_of(dump).substr(30) != before);
  }
}

TEST_CASE("a loss is listed, and nothing is written unless it is allowed", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string convert = "heapcheck convert --to mvmheap-v1 " + sound_dump + " -o " + out;
  const Outcome refused = run(convert + " 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.find("lost: snapshot metadata: 1") != std::string::npos);
  CHECK(!fs::exists(out));
  const Outcome allowed = run(convert + " --allow-loss");
  CHECK(allowed.status == 3);
  CHECK(allowed.out.find("lost: highscores: 1") != std::string::npos);
  CHECK(run("heapcheck validate --fail-level warning " + out).status == 0);
  CHECK(run("heapcheck convert --to mvmheap-v2 " + out + " -o " + out + "2").status == 0);
  fs::remove(out);
  const std::string recover = "heapcheck recover --to mvmheap-v2 " + sound_dump + " -o " + out;
  CHECK(run(recover + " 2>&1").status == 2);
  CHECK(!fs::exists(out));
  const Outcome recovered = run(recover + " --allow-loss");
  CHECK(recovered.status == 3);
  CHECK(recovered.out.find("lost: file metadata: 1") != std::string::npos);
}

TEST_CASE("what --threshold or --share leaves out is a loss that needs no permission", "[program]") {
  const Scratch scratch;
  const std::string convert = "heapcheck convert --to chrome-legacy -o " + scratch.path("out.json") + " " +
                              (root / "corpus/chrome/heaps_v2/seed/in-process.json").string();
  CHECK(run(convert).status == 0);
  for (const std::string option : {" --threshold 100K", " --share 50"}) {
    const Outcome outcome = run(convert + option);
    CHECK(outcome.status == 3);
    CHECK(outcome.out.contains("\n  lost: entries: "));
  }
}

TEST_CASE("recover says if only counts were wrong", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  std::string bytes = read(root / "corpus/mvmheap/v2/seed/layout-b.mvmheap");
  bytes[bytes.size() - 32] ^= 1;  // the size of the strings in the trailer
  const std::string damaged = scratch.file("damaged", bytes);
  const Outcome outcome = run("heapcheck recover " + damaged + " -o " + out);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("nothing was lost: everything that was wrong could be corrected") !=
        std::string::npos);
}

TEST_CASE("recover says what is missing from a trace, and why it keeps values with warnings", "[program]") {
  const Scratch scratch;
  const std::string event = R"({"ph":"X","pid":1,"ts":2,"name":"a"})";
  const std::string dump =
      R"({"ph":"v","pid":1,"ts":2,"id":"0x1","args":{"dumps":{"heaps_v2":{"version":1,"allocators":{)"
      R"("malloc":{"nodes":[1],"types":[1],"counts":[9],"sizes":[8]}},"maps":{"nodes":[{"id":1,"name_sid":1}],)"
      R"("types":[{"id":1,"name_sid":1}],"strings":[{"id":1,"string":"main"}]}}}}})";
  const std::string out = " -o " + (scratch.path() / "out.json").string();
  const auto recover = [&](const std::string& text) {
    const Outcome outcome = run("heapcheck recover " + scratch.file("in.json", text) + out);
    fs::remove(scratch.path() / "out.json");
    return outcome;
  };
  const Outcome empty = recover("[" + event + "]");
  CHECK(empty.status == 0);
  CHECK(empty.out.find("  the trace contains no heap dump\n") != std::string::npos);
  const Outcome cut = recover("{\"traceEvents\":[" + event + "," + dump.substr(0, 90));
  CHECK(cut.status == 3);
  CHECK(cut.out.find("  no heap dump could be kept\n") != std::string::npos);
  CHECK(cut.out.find("  the trace ends early: events after its end are lost") != std::string::npos);
  const Outcome warned = recover("[" + dump + "," + dump + "]");
  CHECK(warned.status == 0);
  CHECK(warned.out.find("  events are kept byte for byte") != std::string::npos);
}

TEST_CASE("recover says if a wrong checksum puts everything that it keeps in doubt", "[program]") {
  const Scratch scratch;
  const std::string sound = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
  const std::string packed = scratch.path("packed.gz");
  REQUIRE(run("gzip -c " + sound + " >" + packed).status == 0);
  std::string bytes = read(packed);
  bytes[bytes.size() - 6] ^= 1;
  const Outcome outcome =
      run("heapcheck recover " + scratch.file("damaged.gz", bytes) + " -o " + scratch.path("out.mvmheap"));
  CHECK(outcome.status == 3);
  CHECK(outcome.out.find("  the compression around the input is damaged: what is kept may be wrong\n") !=
        std::string::npos);
}

TEST_CASE("recover says what it found in a dump that has only warnings", "[program]") {
  const Scratch scratch;
  std::string text = read(root / "corpus/mvmheap/v1/seed/two-snapshots.txt");
  text.insert(text.find('\n'), "\r");
  const std::string in = scratch.file("in", text);
  const Outcome outcome = run("heapcheck recover " + in + " -o " + (scratch.path() / "out").string());
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("warnings in the input: 1 (listed by `heapcheck validate`), the first at 0x") !=
        std::string::npos);
  CHECK(outcome.out.find("no content was lost or changed") != std::string::npos);
}

TEST_CASE("recover says only once why several parts were dropped", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string event = R"({"ph":"v","args":{"dumps":{}}})";
  const std::string in = scratch.file("in", "[" + event + ",1,2," + event + ",3,4,5," + event + ",6]");
  const Outcome outcome = run("heapcheck recover " + in + " -o " + out);
  CHECK(outcome.status == 3);
  CHECK(outcome.out.find(
            "6 events (1, 2, 4 to 6 and 1 more up to 8): the event is a number, expected an object") !=
        std::string::npos);
}

TEST_CASE("recover says if it is unknown how much of a sampling profile is lost", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string cut = (root / "corpus/v8/heapprofile/seed/cut.heapprofile").string();
  CHECK(run("heapcheck recover " + cut + " -o " + out).out.find("an unknown number of samples") !=
        std::string::npos);
}

TEST_CASE("recover names the option that keeps snapshots whose names are lost", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string cut = (root / "corpus/mvmheap/v3/seed/cut.mvmheap").string();
  CHECK(run("heapcheck recover " + cut + " -o " + out).out.find("--placeholder-names keeps the graph") !=
        std::string::npos);
  const Outcome kept = run("heapcheck recover --placeholder-names " + cut + " -o " + out);
  CHECK(kept.out.find("kept: 2 snapshots, 13 collectables, 13 references, 7 strings,") != std::string::npos);
  CHECK(kept.out.find("placeholders instead of lost names: 5 strings") != std::string::npos);
}

TEST_CASE("recover writes only to files that it can read back", "[program]") {
  const Outcome outcome = run("heapcheck recover " + sound_dump + " -o /dev/stdout 2>/dev/null | cat");
  CHECK(outcome.out.empty());
  const Outcome told = run("heapcheck recover " + sound_dump + " -o /dev/null 2>&1");
  CHECK(told.status == 2);
  CHECK(told.out.find("/dev/null: is written directly") != std::string::npos);
}

TEST_CASE("recover keeps complete snapshots, and leaves no file if there are none", "[program]") {
  const Scratch scratch;
  const std::string two = (root / "corpus/mvmheap/v3/seed/two-snapshots.mvmheap").string();
  const std::string killed = scratch.file("killed.mvmheap", read(two).substr(0, 2700));
  const std::string out = (scratch.path() / "out.mvmheap").string();
  const Outcome recovered = run("heapcheck recover " + killed + " -o " + out);
  CHECK(recovered.status == 3);
  CHECK(recovered.out.find("snapshot 1: the file ends inside it") != std::string::npos);
  CHECK(run("heapcheck validate " + out).status == 0);
  CHECK(run("heapcheck recover " + two + " -o " + out).status == 0);
  CHECK(run("heapcheck convert --to mvmheap-v3 " + killed + " -o " + out + ".x 2>&1").status == 1);

  const std::string hopeless = scratch.file("hopeless.mvmheap", read(two).substr(0, 600));
  CHECK(run("heapcheck recover " + hopeless + " -o " + out + ".x 2>&1").status == 1);
  CHECK(run("heapcheck recover " + two + " -o /dev/null 2>&1").status == 2);
  CHECK(!fs::exists(out + ".x"));
  CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 3);
}

TEST_CASE("a truncated trace is recovered in its own format only", "[program]") {
  const Scratch scratch;
  const auto [cut, whole, out] = recover_cut_seed(scratch, "chrome/trace/seed/cut.json");
  CHECK(out.find("kept: 8 events, 1 heap dump") != std::string::npos);
  CHECK(out.find("event 8: the trace ends inside it") != std::string::npos);
  CHECK(run("heapcheck validate --quiet " + whole).status == 0);
  const Outcome other = run("heapcheck recover " + cut + " --to mvmheap-v3 -o " + whole + ".x 2>&1");
  CHECK(other.status == 2);
  CHECK(other.out.find("cannot be recovered as mvmheap-v3") != std::string::npos);
  CHECK(!fs::exists(whole + ".x"));
}

TEST_CASE("a truncated sampling profile is recovered in its own format only", "[program]") {
  const Scratch scratch;
  const auto [cut, whole, out] = recover_cut_seed(scratch, "v8/heapprofile/seed/cut.heapprofile");
  CHECK(out.find("kept: 5 nodes, 0 samples") != std::string::npos);
  CHECK(out.find("dropped: an unknown number of nodes, an unknown number of samples") != std::string::npos);
  CHECK(run("heapcheck validate --quiet " + whole).status == 0);
  CHECK(run("heapcheck info " + whole).out.find("nodes:         5") != std::string::npos);
  const std::string trace = (fs::path(whole).parent_path() / "trace.json").string();
  const Outcome other = run("heapcheck recover " + cut + " --to mvmheap-v3 -o " + trace + " 2>&1");
  CHECK(other.status == 2);
  CHECK(other.out.find("cannot be recovered as mvmheap-v3") != std::string::npos);
  CHECK(!fs::exists(trace));
  for (const std::string to : {"heaps-v2", "mvmheap-v3"}) {
    CHECK(run(fmt::format("heapcheck convert {} --to {} -o {} 2>/dev/null", whole, to, trace)).status == 2);
    CHECK(!fs::exists(trace));
  }
}

TEST_CASE("a truncated heap snapshot is recovered in its own format only", "[program]") {
  const Scratch scratch;
  const auto [cut, whole, out] = recover_cut_seed(scratch, "v8/heapsnapshot/seed/cut.heaptimeline");
  CHECK(out.find("kept: 4 nodes, 3 edges") != std::string::npos);
  CHECK(out.find("dropped: 1 edge") != std::string::npos);
  CHECK(out.find("(listed by `heapcheck validate`), the first at 0x") != std::string::npos);
  CHECK(run("heapcheck validate --fail-level warning " + whole).status == 0);
  const std::string other = (fs::path(whole).parent_path() / "other").string();
  CHECK(run("heapcheck recover " + cut + " --to mvmheap-v3 -o " + other + " 2>&1").status == 2);
  const std::string hopeless = scratch.file("hopeless.heaptimeline", read(cut).substr(0, 900));
  const Outcome nothing = run("heapcheck recover " + hopeless + " -o " + other + " 2>&1");
  CHECK(nothing.status == 1);
  CHECK(nothing.out.find("no node can be kept, so nothing was written; the first error is at 0x384: "
                         "unexpected end of input") != std::string::npos);
  CHECK(!fs::exists(other));
}

TEST_CASE("recover reports losses even if the snapshot has only warnings", "[program]") {
  const Scratch scratch;
  const std::string sound = read(root / "corpus/v8/heapsnapshot/seed/small.heaptimeline");
  const std::string out = scratch.file("out.heaptimeline", "");
  for (const auto& [from, to] : {std::pair{"9,2,3,0", "9,2,1,0"}, {"[0,3,50,7]", "[0,3,50,7,40,9]"}}) {
    std::string text = sound;
    const std::string in =
        scratch.file("in.heaptimeline", text.replace(text.find(from), std::string(from).size(), to));
    CHECK(run("heapcheck validate " + in).status == 0);
    CHECK(run("heapcheck recover " + in + " -o " + out).status == 3);
  }
  CHECK(run("heapcheck recover " + out + " -o " + out + ".again").status == 0);
}

TEST_CASE("recover repairs the number of functions of a snapshot that is otherwise valid", "[program]") {
  const Scratch scratch;
  const std::string stacks = (root / "corpus/v8/heapsnapshot/seed/node-24-stacks.heaptimeline").string();
  const std::string repaired = scratch.file("repaired.heaptimeline", "");
  CHECK(run("heapcheck validate --fail-level note " + stacks).status == 1);
  const Outcome recovered = run("heapcheck recover " + stacks + " -o " + repaired);
  CHECK(recovered.status == 0);
  CHECK(recovered.out.find("functions missing from the count in the header: 2") != std::string::npos);
  CHECK(run("heapcheck validate --fail-level note " + repaired).status == 0);
}

TEST_CASE("convert writes the counts that Hermes leaves at 0", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out.heapsnapshot").string();
  std::string text = read((root / "corpus/v8/heapsnapshot/seed/other-engine.heapsnapshot").string());
  const std::string counts = "\"node_count\":2,\"edge_count\":1";
  REQUIRE(text.contains(counts));
  text.replace(text.find(counts), counts.size(), "\"node_count\":0,\"edge_count\":0");
  const std::string hermes = scratch.file("hermes.heapsnapshot", text);
  CHECK(run("heapcheck convert --to heapsnapshot " + hermes + " -o " + out).status == 0);
  CHECK(read(out).contains(counts));
}

TEST_CASE("convert writes V8's files only in their own format, as V8 does", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string snapshot = (root / "corpus/v8/heapsnapshot/seed/node-16.heapsnapshot").string();
  const std::string profile = (root / "corpus/v8/heapprofile/seed/node-20-default.heapprofile").string();
  CHECK(run("heapcheck convert " + snapshot + " -o " + out + " --to heapsnapshot && cmp " + snapshot + " " +
            out)
            .status == 0);
  CHECK(run("heapcheck convert " + profile + " -o " + out + " --to heapprofile && cmp " + profile + " " + out)
            .status == 0);
  const Outcome wrong = run("heapcheck convert " + snapshot + " -o " + out + " --to heaps-v2 2>&1");
  CHECK(wrong.status == 2);
  CHECK(wrong.out.find("cannot be converted to heaps-v2") != std::string::npos);
  CHECK(run("heapcheck convert " + profile + " -o " + out + " --to heapprofile --keep-trace 2>&1").status ==
        2);
}

TEST_CASE("convert counts everything that V8 does not write as a loss", "[program]") {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string from = scratch.file(
      "more.heapsnapshot",
      R"({"snapshot":{"by":"me","meta":{"node_fields":["type","name","id","self_size","edge_count"],)"
      R"("node_types":[["synthetic"]],"edge_fields":["type","name_or_index","to_node"],)"
      R"("edge_types":[["element"]],"why":[]},"node_count":1,"edge_count":0},)"
      R"("nodes":[0,1,1,0,0],"edges":[],"more":[1],"strings":["<dummy>",""]})");
  const std::string convert = "heapcheck convert " + from + " -o " + out + " --to heapsnapshot";
  const Outcome refused = run(convert + " 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.find("members that V8 does not write: 3 ") != std::string::npos);
  CHECK_FALSE(fs::exists(out));
  CHECK(run(convert + " --allow-loss").status == 3);
  CHECK(run("heapcheck validate --fail-level note " + out).status == 0);
}

TEST_CASE("the output has the permissions of the input", "[program]") {
  const Scratch scratch;
  const fs::path from = scratch.path() / "private";
  const fs::path out = scratch.path() / "out";
  const auto mode_of = [](const fs::path& path) { return fs::status(path).permissions(); };
  constexpr auto private_mode = fs::perms::owner_read | fs::perms::owner_write;
  fs::copy_file(sound_dump, from);
  fs::permissions(from, private_mode);
  for (const std::string command : {"convert --to mvmheap-v3", "recover"}) {
    CHECK(run(fmt::format("umask 022; heapcheck {} {} -o {}", command, from.string(), out.string())).status ==
          0);
    CHECK(mode_of(out) == private_mode);
    fs::remove(out);
    const std::string replaced = scratch.file("out", "public");
    fs::permissions(replaced, private_mode | fs::perms::group_read | fs::perms::others_read);
    CHECK(run(fmt::format("heapcheck {} {} -o {}", command, from.string(), replaced)).status == 0);
    CHECK(mode_of(out) == private_mode);
    fs::remove(out);
  }
  CHECK(run(fmt::format("umask 022; heapcheck recover - -o {} <{}", out.string(), from.string())).status ==
        0);
  CHECK(mode_of(out) == (private_mode | fs::perms::group_read | fs::perms::others_read));
}

TEST_CASE("an output that grows too large is an error, and no part of it remains", "[program]") {
  const Scratch scratch;
  const Outcome outcome = run(
      fmt::format("ulimit -f 2; heapcheck recover {} -o {}/out 2>&1", sound_dump, scratch.path().string()));
  CHECK(outcome.status == 2);
  CHECK(outcome.out.find("cannot be written") != std::string::npos);
  CHECK(fs::is_empty(scratch.path()));
}
