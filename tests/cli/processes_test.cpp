// Tests that the commands name the processes of the dumps in a shared_trace, and never compare two of them.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// Dumps 0 and 3 are about the browser, which grows by 1.9 MiB, 1 and 4 about the GPU process, which has no
/// memory, and 2 and 5 about a renderer, which does not grow.
const std::string shared_trace = (root / "corpus/chrome/heaps_v2/seed/chrome-120-processes.json").string();
const std::string without_maps = (root / "corpus/chrome/heaps_v2/seed/chrome-120-small.json").string();
const std::string old_process_trace = (root / "corpus/chrome/legacy/seed/chrome-64-small.json").string();

std::string ask(const std::string& words) { return run("heapcheck " + words + " 2>&1").out; }
int status_of(const std::string& words) { return run("heapcheck " + words + " >/dev/null 2>&1").status; }

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The trace as another browser would write it: all processes have other ids.
std::string make_other_run(const Scratch& scratch) {
  std::string text = read(shared_trace);
  for (const std::string pid : {"32706", "32734", "32763"})
    text = replace_all(text, "\"pid\":" + pid, "\"pid\":1" + pid.substr(1));
  return scratch.file("other.json", text);
}

}  // namespace

TEST_CASE("summary names the process of each dump in a trace", "[program][processes]") {
  CHECK(ask("summary " + shared_trace + " --output csv") ==
        "index,process,process_type,pid,dump,count,size\n"
        "0,Browser 32706,Browser,32706,0x5,50482,5500000\n"
        "1,GPU Process 32734,GPU Process,32734,0x5,0,0\n"
        "2,Renderer 32763,Renderer,32763,0x5,118,100000\n"
        "3,Browser 32706,Browser,32706,0x7,68243,7500000\n"
        "4,GPU Process 32734,GPU Process,32734,0x7,0,0\n"
        "5,Renderer 32763,Renderer,32763,0x7,2083,100000\n");
  CHECK(ask("summary " + without_maps).contains("unknown process"));
  CHECK(ask("summary " + without_maps + " --output json").contains("\"pid\": null"));
  CHECK_FALSE(ask("summary " + without_maps).contains("Change"));
  // Dumps of one known process are compared.
  CHECK(ask("summary " + shared_trace + " --process browser").contains("Change"));
}

TEST_CASE("answers about one dump say whose it is", "[program][processes]") {
  CHECK(ask("top " + shared_trace + " frames").starts_with("Renderer 32763, snapshot 5 (dump 0x7):\n\nName"));
  CHECK(ask("tree " + shared_trace + " --snapshot 0")
            .starts_with("Browser 32706, snapshot 0 (dump 0x5):\n\nName"));
  CHECK(ask("top " + without_maps + " frames").starts_with("unknown process, snapshot 0 (dump 0x3):\n"));
  const std::string json = ask("tree " + shared_trace + " --process browser --output json --limit 1");
  CHECK(
      json.contains("\"snapshot\": 3,\n  \"process\": \"Browser 32706\",\n  \"process_type\": \"Browser\",\n"
                    "  \"pid\": 32706,\n  \"dump\": \"0x7\","));
}

TEST_CASE("a process is chosen by its type in any case, or by its id", "[program][processes]") {
  for (const std::string process : {"renderer", "RENDERER", "32763"})
    CHECK(ask("summary " + shared_trace + " --output csv --process " + process)
              .contains("\n5,Renderer 32763,"));
  CHECK(ask("summary " + shared_trace + " --output csv --process 'gpu process'").contains("\n4,GPU Process"));
  CHECK(ask("top " + shared_trace + " frames --process Browser").starts_with("Browser 32706, snapshot 3 "));
  // Chrome adds a prefix if it has no window.
  CHECK(ask("top " + old_process_trace + " frames --process browser")
            .starts_with("HeadlessBrowser 18175, snapshot 1 "));
}

TEST_CASE("a process that has no dump is refused with those that do", "[program][processes]") {
  for (const std::string words :
       {"summary ", "top ", "tree ", "growth ", "report -o - ", "export --to collapsed -o - "}) {
    const std::string command = words + shared_trace + (words == "top " ? " frames" : "") + " --process tab";
    const Outcome outcome = run("heapcheck " + command + " 2>&1");
    INFO(command);
    CHECK(outcome.status == 2);
    CHECK(
        outcome.out.contains("--process: found no dump of tab, expected one of the processes in the trace: "
                             "Browser 32706, GPU Process 32734 and Renderer 32763\n"));
  }
  CHECK(ask("summary " + without_maps + " --process 18958")
            .contains("the trace: 2 dumps of unknown processes\n"));
  CHECK(ask("summary " + sound_dump + " --process 1")
            .contains("--process: found a MoarVM heap dump, version 3, "));
  CHECK(ask("top " + shared_trace + " frames --snapshot 0 --process renderer")
            .contains("--process: snapshot 0 is a dump of Browser 32706, expected one of renderer\n"));
}

TEST_CASE("the dumps of each process are compared in turn", "[program][processes]") {
  const std::string growth = ask("growth " + shared_trace + " --of allocators");
  CHECK(growth.contains("Browser 32706, from " + shared_trace + ", snapshot 0 (dump 0x5) to " + shared_trace +
                        ", snapshot 3 (dump 0x7):\n\nName"));
  CHECK(growth.contains("malloc  grown"));
  CHECK(growth.contains("\nGPU Process 32734, from " + shared_trace + ", snapshot 1 (dump 0x5) to "));
  CHECK(growth.contains("\nRenderer 32763, from " + shared_trace + ", snapshot 2 "));
  CHECK(ask("growth " + shared_trace + " --of allocators --output csv") ==
        "name,trend,count_0,count_1,size_0,size_1,cumulative_0,cumulative_1,file,line,column,process\n"
        "malloc,grown,50482,68243,5500000,7500000,5500000,7500000,,,,Browser 32706\n"
        "malloc,grown,118,2083,100000,100000,100000,100000,,,,Renderer 32763\n");
  CHECK(ask("diff " + shared_trace + " --snapshots 0,3,5,2 --of allocators --output ndjson")
            .ends_with("\"process\":\"Renderer 32763\"}\n"));
  CHECK(ask("growth " + shared_trace + " --limit 1").contains("more; --limit N shows N rows\n\nGPU Process"));
}

TEST_CASE("a condition applies to each process", "[program][processes]") {
  const Outcome outcome = run("heapcheck growth " + shared_trace + " --fail-on 'size > +1M' 2>&1 >/dev/null");
  CHECK(outcome.status == 1);
  CHECK(outcome.out.contains("Browser 32706, the whole heap: found size +1.9 MiB (5.2 MiB to 7.2 MiB)"));
  CHECK_FALSE(outcome.out.contains("Renderer"));
  CHECK(status_of("growth " + shared_trace + " --fail-on 'size > +2M'") == 0);
  CHECK(status_of("growth " + shared_trace + " --process renderer --fail-on 'size > +1'") == 0);
  CHECK(status_of("diff " + shared_trace + " --snapshots all --fail-on 'size > +1M'") == 1);
  CHECK(ask("growth " + shared_trace + " --fail-on 'type=absent: size > +1'")
            .contains("found no absent in any snapshot"));
}

TEST_CASE("dumps of two processes, or of unknown ones, are not compared", "[program][processes]") {
  const Outcome two = run("heapcheck diff " + shared_trace + " --snapshots 0,2 2>&1");
  CHECK(two.status == 2);
  CHECK(two.out.contains("found only one dump each of Browser 32706 and Renderer 32763, expected several"));
  CHECK(status_of("diff " + without_maps + " --snapshots 0,1") == 2);
  const Outcome growth = run("heapcheck growth " + without_maps + " --fail-on 'size > +1' 2>&1");
  CHECK(growth.status == 2);
  CHECK(
      growth.out.contains("found only 2 dumps of unknown processes, expected several dumps of one process"));
  CHECK(run("heapcheck diff " + shared_trace + " --snapshots 0,3,2 2>&1 >/dev/null")
            .out.contains("left out one dump of Renderer 32763\n"));
}

TEST_CASE("processes of several files are the same ones if their ids are", "[program][processes]") {
  const Scratch scratch;
  const std::string same = scratch.file("same.json", read(shared_trace));
  const std::string diff = ask("diff " + shared_trace + " " + same + " --of allocators --output json");
  CHECK(diff.contains("\"snapshot\": 3,"));
  CHECK(diff.contains("\"snapshot\": 5,"));
  const std::string other = make_other_run(scratch);
  const Outcome refused = run("heapcheck diff " + shared_trace + " " + other + " 2>&1");
  CHECK(refused.status == 2);
  CHECK(refused.out.contains("Browser 32706, GPU Process 32734, Renderer 32763, Browser 12706,"));
  // The browsers of two runs are compared if that is asked for.
  const std::string browsers =
      ask("diff " + shared_trace + " " + other + " --process browser --of allocators");
  CHECK(browsers.contains(
      "compared Browser 32706 with Browser 12706, each the only one of this type in its file"));
  CHECK(status_of("growth " + shared_trace + " " + other + " --process browser --fail-on 'size > +1M'") == 1);
}

TEST_CASE("exports and reports name the process", "[program][processes]") {
  const Scratch scratch;
  const std::string csv = "export " + shared_trace + " --to csv --table snapshots -o - --quiet ";
  CHECK(ask(csv + "--all-snapshots").contains(",Renderer 32763,,,100000,Renderer,32763,0x7\n"));
  CHECK(ask(csv + "--process browser").contains(",Browser 32706,,,7500000,Browser,32706,0x7\n"));
  CHECK(ask("export " + shared_trace + " --to collapsed -o " + scratch.path("a.txt"))
            .contains("note: snapshot 5 is of Renderer 32763 (dump 0x7)\n"));
  CHECK(ask("export " + shared_trace + " --to speedscope -o - --quiet")
            .contains("snapshot 5, process Renderer 32763, dump 0x7\""));
  const std::string report = ask("report " + shared_trace + " --json -o - --quiet --process browser");
  CHECK(report.contains("\"process\": \"Browser 32706\",\n    \"dump\": \"0x7\""));
  CHECK(report.contains("\"snapshot\": 0,\n"));  // which shows how the browser grew
  // An earlier dump of an unknown process is not shown as an earlier state.
  CHECK(ask("report " + without_maps + " --json -o - --quiet").contains("\"positions\": []"));
  CHECK(ask("info " + shared_trace).contains("Renderer 32763\n"));
}

TEST_CASE("a conversion lists the processes that its output no longer shows", "[program][processes]") {
  const Scratch scratch;
  const std::string loss = "lost: processes of dumps: ";
  for (const auto& [target, lost] : {std::pair{"chrome-legacy", "4 ("}, {"heaps-v2", "6 ("}}) {
    INFO(target);
    const std::string words = "convert " + shared_trace + " --to " + target + " -o ";
    CHECK(status_of(words + scratch.path("refused.json")) == 2);
    CHECK(ask(words + scratch.path("kept.json") + " --keep-trace").find(loss) == std::string::npos);
    CHECK(ask("summary " + scratch.path("kept.json")) == ask("summary " + shared_trace));
    CHECK(ask(words + scratch.path("a.json") + " --allow-loss").contains(loss + lost));
  }
  // Each of these events has the id of its own process.
  const std::string own = (root / "corpus/chrome/heaps_v2/seed/in-process.json").string();
  CHECK(status_of("convert " + own + " --to chrome-legacy -o " + scratch.path("own.json")) == 0);
}

TEST_CASE("a summary describes the last snapshot that is not empty", "[program][processes]") {
  const std::string small = (root / "corpus/chrome/heaps_v2/seed/chrome-120-small.json").string();
  CHECK(ask("summary " + small).contains("\nAllocators of snapshot 0:\n"));
  CHECK(ask("summary " + shared_trace).contains("\nAllocators of snapshot 5:\n"));
}
