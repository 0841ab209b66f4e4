#include "formats/chrome/legacy/writer.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/chrome_legacy.hpp"

using namespace heapcheck;
using tests::read_legacy;
using tests::write_legacy;

namespace {

/// A trace as Chrome 64 writes it, except for `tts`.
constexpr std::string_view trace =
    R"([{"pid":7,"tid":0,"ts":0,"ph":"M","cat":"__metadata","name":"stackFrames","args":{"stackFrames":{"0":{"name":"a\"b"},"0#1":{"name":"f","parent":"0"}}}},
{"pid":7,"tid":0,"ts":0,"ph":"M","cat":"__metadata","name":"typeNames","args":{"typeNames":{"0":"int"}}},
{"pid":7,"tid":3,"ts":808546144,"ph":"v","cat":"disabled-by-default-memory-infra","name":"periodic_interval","args":{"dumps":{"heaps":{"malloc":{"entries":[{"size":"25ca6","count":"8e3","bt":""},{"size":"a","bt":"0#1","type":"0"}]},"blink_gc":{"entries":[]}},"level_of_detail":"detailed"}},"id":"0x1"}])";

}  // namespace

TEST_CASE("a dump is written as Chrome wrote it", "[chrome][legacy]") {
  CHECK(write_legacy(read_legacy(trace).model) == trace);
}

TEST_CASE("the heaps of one dump can be written on their own", "[chrome][legacy]") {
  const auto read = read_legacy(trace);
  std::string text;
  chrome::legacy::write_heaps(read.model.processes[0].dumps[0], read.model.ids, text);
  CHECK(trace.find("\"heaps\":" + text + ",\"level_of_detail\"") != std::string_view::npos);
}

TEST_CASE("names are written in the same events as before", "[chrome][legacy]") {
  const std::string two =
      R"([{"pid":7,"tid":0,"ts":0,"ph":"M","cat":"__metadata","name":"typeNames","args":{"typeNames":{"0":"int"}}},
{"pid":7,"tid":0,"ts":0,"ph":"M","cat":"__metadata","name":"typeNames","args":{"typeNames":{}}},
{"pid":7,"tid":0,"ts":0,"ph":"M","cat":"__metadata","name":"typeNames","args":{"typeNames":{"0":"char"}}}])";
  CHECK(write_legacy(read_legacy(two).model) == two);
}

TEST_CASE("a time that is not a number is not written", "[chrome][legacy]") {
  std::string text(trace);
  text.replace(text.find("808546144"), 9, R"("0,1")");
  CHECK(write_legacy(read_legacy(text).model).find(R"("tid":3,"ph":"v")") != std::string::npos);
}
