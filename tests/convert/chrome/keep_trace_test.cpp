#include "convert/chrome/trace_writer.hpp"

#include <string>
#include <string_view>

#include "formats/core/source.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

const std::string dump =
    R"({"ph":"v","pid":1,"id":"2","args":{"dumps":{"a":1, "heaps_v2":{"version":1} ,"b":[]}}})";
const std::string other = R"({"ph":"X" , "args":{"heaps_v2":{}}})";
const std::string names = R"({"ph":"M","pid":1,"name":"typeNames","args":{"typeNames":{}}})";

/// The result of rewriting `trace`, in which the heaps of event N become `"H":N`.
std::string exchange(std::string_view trace, std::vector<std::string> appended = {}) {
  core::MemorySource source(core::as_bytes(trace));
  core::MemorySink sink;
  conversion::chrome::Replacement replacement;
  replacement.make_member = [](std::uint64_t event) { return "\"H\":" + std::to_string(event); };
  replacement.make_event = [](std::uint64_t event) { return "{\"E\":" + std::to_string(event) + "}"; };
  replacement.appended = std::move(appended);
  const auto done = conversion::chrome::keep_trace(source, Limits{}, replacement, sink);
  return done ? std::string(core::as_text(sink.bytes())) : "error: " + done.error().message;
}

}  // namespace

TEST_CASE("only the heaps of a trace change, and every other byte is kept", "[chrome][keep-trace]") {
  const std::string changed = R"({"ph":"v","pid":1,"id":"2","args":{"dumps":{"a":1, "H":1 ,"b":[]}}})";
  CHECK(exchange("{\"m\" :1, \"traceEvents\":[\n" + other + " ,\n" + dump + "\n] , \"x\":[ ]}\n") ==
        "{\"m\" :1, \"traceEvents\":[\n" + other + " ,\n" + changed + "\n] , \"x\":[ ]}\n");
  CHECK(exchange("[" + other + "]") == "[" + other + "]");
}

TEST_CASE("names are left out wherever they are, each with one comma", "[chrome][keep-trace]") {
  CHECK(exchange("[" + names + ", " + other + "]") == "[" + other + "]");
  CHECK(exchange("[" + names + "," + names + " , " + other + "," + other + "]") ==
        "[" + other + "," + other + "]");
  CHECK(exchange("[" + other + ", " + names + " ," + other + "]") == "[" + other + " ," + other + "]");
  CHECK(exchange("[" + other + "," + names + "," + names + "]") == "[" + other + "]");
  CHECK(exchange("[" + names + "]") == "[]");
}

TEST_CASE("events are added after all others", "[chrome][keep-trace]") {
  CHECK(exchange("[" + other + "\n]", {"{A}", "{B}"}) == "[" + other + ",\n{A},\n{B}\n]");
  CHECK(exchange("[" + other + "," + names + "\n]", {"{A}"}) == "[" + other + ",\n{A}\n]");
  CHECK(exchange("[" + names + "]", {"{A}"}) == "[\n{A}]");
  CHECK(exchange("{\"traceEvents\":[]}", {"{A}"}) == "{\"traceEvents\":[\n{A}]}");
}

TEST_CASE("an interrupted trace is closed", "[chrome][keep-trace]") {
  CHECK(exchange("[" + other) == "[" + other + "\n]\n");
  CHECK(exchange("[" + other + " ,\n") == "[" + other + "\n]\n");
  CHECK(exchange("[" + names + ",", {"{A}"}) == "[\n{A}\n]\n");
}

TEST_CASE("a dump in a string stays in one, and an event of the proposal becomes a whole event",
          "[chrome][keep-trace]") {
  CHECK(exchange(R"([{"ph":"v","pid":1,"id":"2","args":{"dumps":"{\"heaps\":{},\"a\":\"\u00e9\"}"}}])") ==
        R"([{"ph":"v","pid":1,"id":"2","args":{"dumps":"{\"H\":0,\"a\":\")"
        "\xC3\xA9"
        R"(\"}"}}])");
  CHECK(exchange("[" + other + R"(,{"ph":"P","name":"heap_profile","pid":1,"args":{"data":{}}}])") ==
        "[" + other + R"(,{"E":1}])");
}

TEST_CASE("a trace that cannot be read to its end is not rewritten", "[chrome][keep-trace]") {
  CHECK(exchange("[" + other + ",{").starts_with("error"));
}
