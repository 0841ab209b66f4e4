// Tests `heapcheck report`: the snapshots that it describes, and the input that it refuses.
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "formats/v8/heapsnapshot/faults.hpp"
#include "heapcheck/dump.hpp"
#include "heapcheck/page.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::string small = (root / "corpus/mvmheap/v2/seed/moar-2018.03-small.mvmheap").string();
const std::string graph = (root / "corpus/v8/heapsnapshot/seed/node-10.heapsnapshot").string();
const std::string traces = (root / "corpus/chrome").string();

std::string data_of(const std::string& inputs) {
  return run("heapcheck report " + inputs + " --json -o -").out;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a report is about all snapshots of one file, or the one that is named", "[program][report]") {
  CHECK(data_of(small).contains("\"positions\": [\n    {"));
  const std::string first = data_of(small + " --snapshot 0");
  CHECK(first.contains("\"positions\": []"));
  CHECK(first.contains("\"snapshot\": 0,"));
  CHECK(run("heapcheck report " + small + " --snapshot 99 -o - 2>&1").status == 2);
}

TEST_CASE("a report compares files of one family", "[program][report]") {
  CHECK(data_of(graph + " " + graph).contains("\"positions\": [\n    {"));
  const Outcome mixed = run("heapcheck report " + graph + " " + small + " -o - 2>&1");
  CHECK(mixed.status == 2);
  CHECK(mixed.out.contains("expected a V8 heap snapshot, like the first dump"));
}

TEST_CASE("a damaged file gives a report only with --force, which has its findings", "[program][report]") {
  CHECK(run("heapcheck report " + cut_dump + " -o - 2>&1").status == 4);
  const std::string forced = data_of(cut_dump + " --force 2>/dev/null");
  CHECK(forced.contains("\"verdict\": \"not well-formed\""));
  CHECK(forced.contains("mvm3.file.truncated"));
  // The second snapshot is not complete, so it is neither shown nor compared.
  CHECK(forced.contains("\"snapshot\": 0,\n    \"count\": 6,"));
  CHECK(forced.contains("\"positions\": []"));
}

TEST_CASE("a report on a trace is about its last dump that has memory", "[program][report]") {
  const std::string data = data_of(traces + "/heaps_v2/seed/chrome-120-small.json");  // has an empty one, too
  CHECK(data.contains("\"snapshot\": 0,\n    \"count\": 36937,\n    \"size\": 4400000,"));
  CHECK(data.contains("\"positions\": []"));
}

TEST_CASE("a report on a trace of several processes shows that of the last dump", "[program][report]") {
  const std::string data = data_of(traces + "/legacy/seed/chrome-64-small.json");
  CHECK(data.contains("\"process\": \"HeadlessBrowser 18175\","));
}

TEST_CASE("a report on a timeline with stacks shows how much each call allocated in total",
          "[program][report][stacks]") {
  const std::string timeline = (root / "corpus/v8/heapsnapshot/seed/chrome-120-stacks.heaptimeline").string();
  const std::string data = data_of(timeline);
  const std::string command = "heapcheck tree " + timeline + " --output json 2>/dev/null";
  const std::string trees = run(command + " && " + command + " --inverted").out;
  const std::size_t count = count_of(trees, "\"allocated_size\": ");
  CHECK(count > 10);
  CHECK(count_of(data, "\"allocated_size\": ") == count);
  CHECK(data.contains("\"allocated_count\": 4096,"));
  CHECK_FALSE(data_of(graph).contains("\"allocated_size\": "));
}

TEST_CASE("a report never replaces its input", "[program][report]") {
  const Outcome same = run("heapcheck report " + graph + " " + cut_dump + " -o " + cut_dump + " 2>&1");
  CHECK(same.status == 2);
  CHECK(same.out.contains("is the input, which is never replaced"));
}

TEST_CASE("a report on standard output is nothing but the page", "[program][report]") {
  for (const std::string out : {"-", "/dev/stdout"})
    CHECK(run("heapcheck report " + graph + " -o " + out + " 2>/dev/null").out.ends_with("</html>\n"));
}

TEST_CASE("a report has room for the findings of all files together", "[report]") {
  const auto dump = heapcheck::open(graph);
  REQUIRE(dump);
  const heapcheck::Report checked = [] {
    const Finding finding{&v8::heapsnapshot::rules::file_bom, {}, "found a mark, expected none"};
    heapcheck::Report report;
    report.findings.assign(60, finding);
    return report;
  }();
  HeapPage report;
  for (int i = 0; i < 3; ++i) REQUIRE(report.add(*dump, checked, "a"));
  const auto data = report.make_json();
  REQUIRE(data);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = data->find("v8snap.file.byte-order-mark", at)) != std::string::npos; ++at)
    ++count;
  CHECK(count == 100);
}

TEST_CASE("a report is the same each time", "[program][report]") {
  const std::string page = run("heapcheck report " + graph + " -o -").out;
  CHECK(page.size() < 3'000'000);
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(page == run("heapcheck report " + graph + " -o -").out);
}
