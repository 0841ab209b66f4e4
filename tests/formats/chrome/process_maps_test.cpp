// Tests which process a heap dump in a trace describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/core/source.hpp"
#include "formats/read_trace.hpp"
#include "tests/support/catch.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;

namespace {

const std::string heaps =
    R"("heaps_v2":{"version":1,"maps":{"strings":[{"id":1,"string":"x"}],"nodes":[{"id":1,"name_sid":1}],)"
    R"("types":[{"id":1,"name_sid":1}]},"allocators":{"malloc":{"nodes":[1],"types":[1],"counts":[1],"sizes":[8]}}})";

/// The regions with these numbers, from `first` to before `last`.
std::string make_regions(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i)
    text +=
        fmt::format(R"({}{{"mf":"","sa":"{:x}","sz":"1000"}})", text.empty() ? "" : ",", 0x10000 * (i + 1));
  return text;
}

std::string make_maps(const std::string& regions) {
  return fmt::format(R"("process_mmaps":{{"vm_regions":[{}]}})", regions);
}

std::string make_event(std::int64_t pid, const std::string& id, const std::string& parts) {
  return fmt::format(R"({{"ph":"v","pid":{},"id":"{}","args":{{"dumps":{{{}}}}}}})", pid, id, parts);
}
std::string make_totals(std::int64_t pid, const std::string& regions) {
  return make_event(pid, "0x0", R"("process_totals":{},)" + make_maps(regions));
}
std::string make_dump(std::int64_t pid, const std::string& id, const std::string& regions) {
  return make_event(pid, id, heaps + "," + make_maps(regions));
}
std::string make_name(std::int64_t pid, const std::string& name) {
  return fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", pid, name);
}

formats::Trace read_events(const std::vector<std::string>& events, const Limits& limits = {}) {
  const std::string text = fmt::format("[{}]", fmt::join(events, ","));
  core::MemorySource source(core::as_bytes(text), 1000);
  core::Window window(source, 4096);
  validation::Collector collector(20);
  return formats::read_trace(window, limits, collector);
}

/// The names of the processes of all heaps_v2 dumps.
std::string whose(const std::vector<std::string>& events, const Limits& limits = {}) {
  const formats::Trace trace = read_events(events, limits);
  std::string names;
  for (const auto& dump : trace.heaps_v2.dumps)
    names += (names.empty() ? "" : ", ") + trace.find_process(dump.head).name;
  return names;
}

const std::string browser = make_name(1, "Browser");

}  // namespace

TEST_CASE("a dump is about the process with the same memory maps", "[chrome][processes]") {
  const std::vector<std::string> events = {browser,
                                           make_name(2, "Renderer"),
                                           make_dump(1, "0x1", make_regions(50, 150)),
                                           make_dump(1, "0x1", make_regions(0, 100)),
                                           make_totals(1, make_regions(0, 100)),
                                           make_totals(2, make_regions(50, 150))};
  CHECK(whose(events) == "Renderer 2, Browser 1");
  const formats::Trace trace = read_events(events);
  const DumpProcess process = trace.find_process(trace.heaps_v2.dumps[0].head);
  CHECK(process == DumpProcess{.name = "Renderer 2", .type = "Renderer", .pid = 2, .dump = "0x1"});
}

TEST_CASE("98 % of the regions decide, unless another process has more than 97 %", "[chrome][processes]") {
  const auto decide = [](int best, int next) {
    return whose({browser, make_dump(1, "0x1", make_regions(0, 100)), make_totals(2, make_regions(0, best)),
                  make_totals(3, make_regions(0, next))});
  };
  CHECK(decide(98, 97) == "2");
  CHECK(decide(97, 0) == "unknown process");
  CHECK(decide(98, 98) == "unknown process");
  CHECK(decide(100, 98) == "unknown process");
  CHECK(decide(97, 100) == "3");
}

TEST_CASE("the share of a process is that in one moment", "[chrome][processes]") {
  // Together, the two events of process 2 have all regions, but each has only a half.
  CHECK(whose({browser, make_dump(1, "0x1", make_regions(0, 100)), make_totals(2, make_regions(0, 50)),
               make_totals(2, make_regions(50, 100)), make_totals(3, make_regions(0, 98))}) == "3");
  // A region may be missing for a while.
  CHECK(whose({browser, make_dump(1, "0x1", make_regions(0, 100)), make_totals(2, make_regions(0, 100)),
               make_totals(3, make_regions(0, 10)), make_totals(2, make_regions(50, 150)),
               make_totals(2, make_regions(0, 60))}) == "2");
  CHECK(whose({browser, make_totals(2, make_regions(0, 60)), make_totals(2, make_regions(50, 150)),
               make_totals(2, make_regions(0, 99)), make_dump(1, "0x1", make_regions(0, 100))}) == "2");
}

TEST_CASE("regions are compared by their numbers, however they are written", "[chrome][processes]") {
  const std::string plain = R"({"sa":"1a000","sz":"1000"},{"sa":"ff","sz":"1"})";
  for (
      const std::string regions :
      {R"({"sz":4096,"sa":106496},{"sa":255,"sz":1})",
       R"({"sa":"0x1A000","sz":"0X1000"},{"sa":"0FF","sz":"01"})",
       R"({"sa":"1a000","sz":"1000"},{"sa":"1a000","sz":"1000"},{"sa":"ff","sz":"1"},{"sa":"ff","sz":"1"})",
       R"(7,[],{},{"sa":"1a000"},{"sz":"1"},{"sa":-1,"sz":"1"},{"sa":"x","sz":"1"},{"sa":"ff","sz":"1"},null,)"
       R"({"sa":"1a000","sz":"1000"},{"sa":"11111111111111111","sz":"1"},{"sa":{},"sz":[1]},{"sa":1.5,"sz":1})"}) {
    CAPTURE(regions);
    CHECK(whose({browser, make_dump(1, "0x1", regions), make_totals(2, plain)}) == "2");
    CHECK(whose({browser, make_totals(2, regions), make_dump(1, "0x1", plain)}) == "2");
  }
  CHECK(whose({browser, make_dump(1, "0x1", R"({"sa":"1a000","sz":"2000"})"), make_totals(2, plain)}) ==
        "unknown process");
}

TEST_CASE("maps without regions, or without totals, decide nothing", "[chrome][processes]") {
  const std::string all = make_regions(0, 100);
  CHECK(whose({browser, make_dump(1, "0x1", ""), make_totals(2, "")}) == "unknown process");
  CHECK(whose({browser, make_dump(1, "0x1", all), make_totals(2, "")}) == "unknown process");
  CHECK(whose({browser, make_dump(1, "0x1", all), make_event(2, "0x0", make_maps(all))}) ==
        "unknown process");
  CHECK(whose({browser, make_dump(1, "0x1", all),
               make_event(2, "0x0", R"("process_totals":1,)" + make_maps(all))}) == "unknown process");
  for (const std::string maps : {"[]", "{}", "7", R"({"vm_regions":{}})", R"({"vm_regions":null})"})
    CHECK(whose({browser, make_event(1, "0x1", heaps + R"(,"process_mmaps":)" + maps),
                 make_totals(2, all)}) == "unknown process");
}

TEST_CASE("without maps, the id of the event is right unless the browser may have written it",
          "[chrome][processes]") {
  const auto dump = [](std::int64_t pid, const std::string& id) { return make_event(pid, id, heaps); };
  CHECK(whose({dump(7, "1"), dump(7, "2")}) == "7, 7");
  CHECK(whose({browser, dump(1, "1")}) == "Browser 1");
  CHECK(whose({browser, make_name(2, "Renderer"), dump(2, "1")}) == "Renderer 2");
  CHECK(whose({browser, make_name(2, "Renderer"), dump(1, "1")}) == "unknown process");
  CHECK(whose({make_name(1, "HeadlessBrowser"), make_name(2, "Renderer"), dump(1, "1")}) ==
        "unknown process");
  CHECK(whose({browser, dump(1, "1"), make_event(2, "1", R"("allocators":{})")}) == "unknown process");
  // Several processes write their own events.
  CHECK(whose({browser, make_name(2, "Renderer"), dump(1, "1"), dump(2, "1")}) == "Browser 1, Renderer 2");
  // Two dumps at the same time cannot be those of one process.
  CHECK(whose({browser, dump(1, "1"), dump(1, "1")}) == "unknown process, unknown process");
  // The maps of another dump show that the browser wrote it.
  CHECK(whose({make_name(1, "X"), dump(1, "1"), make_dump(1, "2", make_regions(0, 9)),
               make_totals(2, make_regions(0, 9))}) == "unknown process, 2");
}

TEST_CASE("legacy dumps are those of the process that wrote them", "[chrome][processes]") {
  const formats::Trace trace =
      read_events({browser, make_name(2, "Renderer"), make_event(1, "1", R"("heaps":{})")});
  REQUIRE(trace.legacy.processes.size() == 1);
  CHECK(trace.find_process(trace.legacy.processes[0].dumps[0].head).name == "Browser 1");
}

TEST_CASE("regions that do not fit in memory decide nothing", "[chrome][processes]") {
  const std::vector<std::string> events = {browser, make_dump(1, "0x1", make_regions(0, 100)),
                                           make_totals(2, make_regions(0, 100))};
  CHECK(whose(events, {.max_memory = 1 << 20}) == "2");
  CHECK(whose(events, {.max_memory = 40'000}) == "unknown process");
}

TEST_CASE("the work of comparing regions is linear in their number", "[chrome][processes]") {
  // Each of 2,000 processes has the only region of each of 2,000 dumps.
  std::vector<std::string> events = {browser};
  const std::string region = make_regions(0, 1);
  for (int i = 0; i < 2000; ++i) {
    events.push_back(make_totals(100 + i, region));
    events.push_back(make_dump(1, std::to_string(i), make_regions(0, 1)));
  }
  CHECK(read_events(events).dump_processes.empty());
  // With few processes, all dumps can be decided.
  events.assign(1, browser);
  for (int i = 0; i < 300; ++i) {
    events.push_back(make_totals(100 + i % 30, make_regions(i % 30 * 5, i % 30 * 5 + 5)));
    events.push_back(make_dump(1, std::to_string(i), make_regions(i % 30 * 5, i % 30 * 5 + 5)));
  }
  CHECK(read_events(events).dump_processes.size() == 300);
}

TEST_CASE("the decision is the same as by comparing all lists with each other", "[chrome][processes]") {
  std::mt19937 random(42);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same numbers in every run
  const auto choose = [&random](unsigned count) { return static_cast<unsigned>(random()) % count; };
  std::size_t decided = 0;
  for (int round = 0; round < 300; ++round) {
    // Lists of one process differ in up to two regions, and those of different processes in one more.
    const auto make_list = [&](unsigned process) {
      std::set<int> list;
      for (int i = 0; i < 60; ++i) list.insert(i);
      list.erase(static_cast<int>(process));
      for (unsigned i = choose(3); i != 0; --i) list.erase(static_cast<int>(choose(60)));
      return list;
    };
    const auto write_list = [](const std::set<int>& list) {
      std::string text;
      for (const int region : list) text += (text.empty() ? "" : ",") + make_regions(region, region + 1);
      return text;
    };
    std::vector<std::string> events = {browser};
    std::vector<std::pair<unsigned, std::set<int>>> totals;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned process = choose(3);
      totals.emplace_back(process, make_list(process));
      events.push_back(make_totals(100 + process, write_list(totals.back().second)));
    }
    const std::set<int> heap = make_list(choose(3));
    events.insert(events.begin() + 1 + choose(8), make_dump(1, "0x1", write_list(heap)));
    std::array<std::size_t, 3> most{};
    for (const auto& [process, list] : totals) {
      std::vector<int> common;
      std::ranges::set_intersection(heap, list, std::back_inserter(common));
      most[process] = std::max(most[process], common.size());
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(most) - most.begin());
    std::size_t next = 0;
    for (std::size_t i = 0; i < most.size(); ++i) next = i == best ? next : std::max(next, most[i]);
    const bool is_decided = most[best] * 100 >= 98 * heap.size() && next * 100 <= 97 * heap.size();
    CHECK(whose(events) == (is_decided ? std::to_string(100 + best) : "unknown process"));
    decided += is_decided ? 1U : 0U;
  }
  CHECK(decided > 30);
  CHECK(decided < 270);
}
