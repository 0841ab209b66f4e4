#include "formats/chrome/other_dumps.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

chrome::EventHead make_head(std::string phase, std::string name, std::string id, std::int64_t pid) {
  chrome::EventHead head;
  head.phase = std::move(phase);
  head.name = std::move(name);
  head.id = std::move(id);
  head.pid = pid;
  head.has_dumps = head.phase == "v";
  return head;
}

}  // namespace

TEST_CASE("memory dumps without heaps are counted by id, and their processes are named", "[chrome]") {
  chrome::OtherDumps dumps;
  CHECK(describe(dumps, {}) == "contains no heap dump");
  dumps.add(make_head("v", "periodic_interval", "0x1", 7));
  CHECK(describe(dumps, {}) == "contains no heap dump, only 1 memory dump without heaps, of process 7");
  dumps.add(make_head("v", "periodic_interval", "0x1", 8));
  dumps.add(make_head("v", "periodic_interval", "0x2", 8));
  CHECK(describe(dumps, {{8, "Browser"}}) ==
        "contains no heap dump, only 2 memory dumps without heaps, of the processes 7 and Browser 8");
  for (std::int64_t pid = 9; pid < 30; ++pid) dumps.add(make_head("v", "periodic_interval", "0x2", pid));
  CHECK(describe(dumps, {}).ends_with("of the processes 7, 8, 9, 10, 11, 12, 13, 14 and 15 more"));
}

TEST_CASE("events of other phases, or without dumps, are no memory dumps", "[chrome]") {
  chrome::OtherDumps dumps;
  dumps.add(make_head("M", "process_name", "", 7));
  dumps.add(make_head("O", "cc::LayerTreeHostImpl", "0x1", 7));
  chrome::EventHead head = make_head("v", "periodic_interval", "0x1", 7);
  head.has_dumps = false;
  dumps.add(head);
  CHECK(describe(dumps, {}) == "contains no heap dump");
}

TEST_CASE("the events of Chrome's first heap profiler are named", "[chrome]") {
  chrome::OtherDumps dumps;
  dumps.add(make_head("O", "memory::Heap", "", 7));
  CHECK(describe(dumps, {}) ==
        "contains 1 heap dump of process 7 in a form that is not supported: `memory::Heap` events, which "
        "Chrome "
        "wrote in 2013");
}

TEST_CASE("the number of dumps that are counted is limited", "[chrome]") {
  chrome::OtherDumps dumps;
  for (std::size_t i = 0; i < chrome::DumpTally::most + 5; ++i)
    dumps.add(make_head("v", "", "id " + std::to_string(i), 7));
  CHECK(describe(dumps, {}).contains("only at least 10000 memory dumps without heaps"));
}
