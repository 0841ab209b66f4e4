#include "formats/chrome/heaps_v2/writer.hpp"

#include "tests/support/heaps_v2_trace.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::heaps_v2;

TEST_CASE("an object from Chrome 120 is written byte for byte as it was", "[heaps_v2]") {
  const std::string text = read_sample("chrome-120-small.json");
  const Reading reading = read_trace(text);
  for (const Dump& dump : reading.model.dumps) {
    std::string out;
    append_heaps_v2(reading.model, dump, out);
    CHECK(out == text.substr(dump.span.offset, dump.span.length));
  }
}

TEST_CASE("a dump event is written with its head and the sizes of its allocators", "[heaps_v2]") {
  const Reading reading = read_trace(
      R"([{"ts":12.50,"tid":-1,"pid":7,"ph":"v","name":"periodic_interval","id":"0x3","cat":"memory","args":)"
      R"({"dumps":{"level_of_detail":"detailed","allocators":{"malloc":{"attrs":{"size":{"type":"scalar",)"
      R"("units":"bytes","value":"fF"}}}},"heaps_v2":{"version":1,"maps":{}}}}}])");
  std::string out;
  append_event(reading.model, reading.model.dumps.at(0), out);
  CHECK(out ==
        R"({"args":{"dumps":{"allocators":{"malloc":{"attrs":{"size":{"type":"scalar","units":"bytes",)"
        R"("value":"ff"},"virtual_size":{"type":"scalar","units":"bytes","value":"ff"}}}},)"
        R"("heaps_v2":{"version":1},"level_of_detail":"detailed"}},"cat":"memory","id":"0x3",)"
        R"("name":"periodic_interval","ph":"v","pid":7,"tid":-1,"ts":12.50})");
}

TEST_CASE("a written dump is read back unchanged", "[heaps_v2]") {
  for (const char* name : {"chrome-120-small.json", "chrome-62-style.json", "in-process.json"}) {
    INFO(name);
    const std::string once = write_trace(read_trace(read_sample(name)).model);
    const Reading again = read_trace(once);
    CHECK(again.found.findings.empty());
    CHECK(write_trace(again.model) == once);
  }
}
