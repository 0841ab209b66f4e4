// Tests `validate --for all`, and the line about readers in the output of `info`.
#include <filesystem>
#include <string>

#include "heapcheck/validate.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string corpus = HEAPCHECK_SOURCE_DIR "/corpus/";
/// The text with `with` in place of the first `what`.
std::string replace_first(std::string text, std::string_view what, std::string_view with) {
  return text.replace(text.find(what), what.size(), with);
}

const std::string version_1 = corpus + "mvmheap/v1/seed/moar-2016.04-small.txt";
const std::string version_2 = corpus + "mvmheap/v2/seed/layout-b.mvmheap";

}  // namespace

TEST_CASE("the table of readers says who opens, misreads or fails on a file, and why", "[readers]") {
  const Outcome old = run("heapcheck validate --for all " + version_1);
  CHECK(old.status == 0);
  CHECK(old.out.contains("  moar-ha     opens\n"));
  CHECK(old.out.contains(
      "  not for this format: devtools, memlab, moarperf, comma, speedscope, catapult, perfetto\n"));
  const Outcome newer = run("heapcheck validate --for all " + version_2);
  CHECK(newer.status == 0);
  CHECK(newer.out.contains("  moar-ha     fails      the file is of version 2"));
  CHECK(newer.out.contains("[mvm2.moar-ha.references]\n"));
  const Outcome trace = run("heapcheck validate --for all " + corpus + "chrome/legacy/seed/hierarchy.json");
  CHECK(trace.out.contains("  speedscope  misreads   the heap is in memory dumps"));
  CHECK(trace.out.contains("  catapult    fails      "));
  CHECK(trace.out.contains("  perfetto    misreads   the heap is in memory dumps"));
}

TEST_CASE("readers fail on a file that is not well-formed, and misread one that is not valid", "[readers]") {
  const Outcome outcome = run("heapcheck validate --for all " + corpus + "mvmheap/v3/seed/cut.mvmheap");
  CHECK(outcome.status == 0);
  CHECK(outcome.out.contains("  moarperf    fails      file ends inside topscore"));
  CHECK(outcome.out.contains("  comma       fails      file ends inside topscore"));
  const Scratch scratch;
  const std::string snapshot = read(corpus + "v8/heapsnapshot/seed/chrome-64.heapsnapshot");
  const auto check = [&](const std::string& file) { return run("heapcheck validate --for all " + file).out; };
  const std::string counts =
      check(scratch.file("a.heapsnapshot", replace_first(snapshot, "\"node_count\":", "\"node_count\":1")));
  CHECK(counts.contains("  devtools    misreads   `node_count` is 1"));
  CHECK(counts.contains("  memlab      opens\n"));
  const std::string name =
      check(scratch.file("b.heapsnapshot", replace_first(snapshot, "\"samples\"", "\"sample\"")));
  CHECK(name.contains("  devtools    fails      the section `samples` is missing"));
}

TEST_CASE("a limit leaves it undecided how readers fare", "[readers]") {
  CHECK(run("heapcheck validate --for all --max-memory 1K " + version_1)
            .out.contains("  moar-ha     undecided  "));
}

TEST_CASE("info and the table of readers say the same about every file", "[readers]") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (entry.path().parent_path().filename() != "seed") continue;
    const auto dump = open(entry.path().string());
    if (!dump) continue;
    INFO(entry.path());
    std::string opened;
    for (const ReaderFit& fit : check_readers(*dump)) {
      if (fit.fit == Fit::opens) opened += (opened.empty() ? "" : ", ") + std::string(fit.reader);
    }
    const std::string line = "  opened by:     " + (opened.empty() ? "none" : opened);
    const std::string info = run("heapcheck info " + entry.path().string() + " 2>/dev/null").out;
    CHECK((info.contains(line + "\n") || info.contains(line + "; with convert --to ")));
    ++files;
  }
  CHECK(files > 40);
}

TEST_CASE("the table of readers covers standard input, and names files that cannot be read", "[readers]") {
  CHECK(run("heapcheck validate --for all - <" + version_1)
            .out.contains("-: mvmheap-v1\n  moar-ha     opens\n"));
  const Scratch scratch;
  const std::string other = scratch.file("notes.txt", "no dump");
  const Outcome outcome = run("heapcheck validate --for all " + other + " " + version_1);
  CHECK(outcome.status == 4);
  CHECK(outcome.out.contains("  moar-ha     opens\n"));
  CHECK(outcome.out.contains("notes.txt: error: is not in a known format: looks like text, "));
  CHECK(outcome.out.contains(" [input.unknown-format]\n"));
  CHECK(
      run("heapcheck validate --for all " + scratch.path("missing"))
          .out.contains("missing: error: cannot be opened: No such file or directory [input.unreadable]\n"));
  const Outcome none = run("heapcheck validate --for all " + scratch.path().string() + " 2>&1");
  CHECK(none.status == 4);
  CHECK(none.out.contains("heapcheck: skipped 1 file of unknown format\n"));
  CHECK(none.out.contains(": error: the folder contains no heap dumps [input.unreadable]\n"));
  CHECK(run("heapcheck validate --for all --shard 1/1 " + scratch.path().string() + " 2>/dev/null").status ==
        0);
  (void)scratch.file("damaged.mvmheap", "no dump");
  CHECK(run("heapcheck validate --for all " + scratch.path().string()).status == 4);
}

TEST_CASE("the table of readers is made without options about findings", "[readers]") {
  const Scratch scratch;
  const std::string baseline = scratch.path("baseline");
  for (const std::string& option : {std::string("--statistics"), std::string("--ignore=json"),
                                    "--cache=" + scratch.path("cache"), "--write-baseline=" + baseline}) {
    INFO(option);
    const Outcome outcome = run("heapcheck validate --for all " + option + " " + version_1 + " 2>&1");
    CHECK(outcome.status == 2);
    CHECK(outcome.out.contains("cannot be used with --for all, which reports no findings\n"));
  }
  CHECK(scratch.file_count() == 0);
}

TEST_CASE("the table of readers is written to a file, but not over one that is checked", "[readers]") {
  const Scratch scratch;
  const std::string table = (scratch.path() / "table.json").string();
  CHECK(run("heapcheck validate --for all --output json --output-file " + table + " " + version_2).status ==
        0);
  CHECK(read(table).find("\"rule\": \"mvm2.moar-ha.references\"") != std::string::npos);
  const std::string dump = scratch.file("a.mvmheap", read(version_2));
  CHECK(run("heapcheck validate --for all --output-file " + dump + " " + dump + " 2>&1").status == 2);
  const std::string folder = scratch.path().string();
  CHECK(run("heapcheck validate --for all --output-file " + table + " " + folder + " 2>&1").status == 0);
  const Scratch alone;
  const std::string report = alone.file("table.txt", "");
  CHECK(run("heapcheck validate --for all --output-file " + report + " " + alone.path().string()).status ==
        4);
  CHECK(read(dump) == read(version_2));
}

TEST_CASE("info says which readers can open a file, and which more could after a conversion", "[readers]") {
  CHECK(run("heapcheck info " + version_1)
            .out.contains("  opened by:     moar-ha; with convert --to mvmheap-v3: moarperf, comma\n"));
  // References without targets are in no other format.
  const std::string text_32bit = corpus + "mvmheap/v1/crash/32-bit.txt";
  CHECK(run("heapcheck info " + text_32bit).out.contains("  opened by:     moar-ha\n"));
  CHECK(run("heapcheck info --snapshot 0 " + text_32bit).out.contains("  opened by:     moar-ha\n"));
  CHECK(run("heapcheck info " + version_2)
            .out.contains(
                "  opened by:     none; with convert --to mvmheap-v1: moar-ha; with convert --to mvmheap-v3: "
                "moarperf, comma\n"));
}

TEST_CASE("explain says what readers do with a file that violates the rule", "[readers]") {
  CHECK(run("heapcheck explain trace.file.byte-order-mark")
            .out.contains("\nReaders: perfetto fails (trace.perfetto.byte-order-mark)\n"));
  CHECK(run("heapcheck explain v8snap.header.zero-counts").out.contains("\nReaders: devtools fails\n"));
  CHECK_FALSE(run("heapcheck explain mvm3.toc.count").out.contains("\nReaders: "));
}

TEST_CASE("every reader reads a format, and every rule about a reader names one", "[readers]") {
  for (const std::string_view reader : reader_names()) {
    INFO(reader);
    bool reads_any = false;
    for (const Format format : all_formats()) reads_any = reads_any || reads_format(reader, format);
    CHECK(reads_any);
  }
  CHECK_FALSE(reads_format("nobody", Format::mvmheap_v1));
  CHECK(readers_of(Format::mvmheap_v2).empty());
}
