#include "formats/detect.hpp"

#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using formats::JsonKind;

namespace {

auto kind_of(std::string_view text, bool is_all = true) {
  return formats::find_json_kind(core::as_bytes(text), is_all);
}

}  // namespace

TEST_CASE("the kind of JSON is recognised by its first members", "[registry]") {
  CHECK(kind_of(R"({"traceEvents":[)") == JsonKind::trace);
  CHECK(kind_of(" \n{\"displayTimeUnit\":\"ms\",\"traceEvents\":[") == JsonKind::trace);
  CHECK(kind_of("\xEF\xBB\xBF[{\"pid\":1,\"ph\":\"X\"") == JsonKind::trace);
  CHECK(kind_of(R"([{},{"pid":1},{"ph":"X"}])") == JsonKind::trace);
  CHECK(kind_of("[]") == JsonKind::trace);
  CHECK(kind_of("[") == JsonKind::trace);
  CHECK(kind_of(R"({"snapshot":{)") == JsonKind::v8_heapsnapshot);
  CHECK(kind_of(R"({"samples":[],"head":{)") == JsonKind::v8_heapprofile);
  CHECK(kind_of(R"({"name":"x"})") == JsonKind::other);
  CHECK(kind_of(R"([{"name":"x"}])") == JsonKind::other);
  CHECK(kind_of(R"([{},{"pid":1}])") == JsonKind::other);
  CHECK(kind_of("[1,2]") == JsonKind::other);
  CHECK(kind_of(R"([1,{"ph":"X"}])") == JsonKind::other);
}

TEST_CASE("anything that is not JSON has no kind", "[registry]") {
  for (const char* text : {"", " ", "[section]", "{name}", "12", "\"traceEvents\"", "{\"a\" 1}", "[{} {}]"})
    CHECK(kind_of(text) == std::nullopt);
}

TEST_CASE("a damaged object with an array of events is a trace", "[registry]") {
  CHECK(kind_of(R"({"metadata":{a":1},"traceEvents" : [)") == JsonKind::trace);
  CHECK(kind_of(R"({"metadata":{a":1},"traceEvents":{)") == std::nullopt);
  CHECK(kind_of(R"({"metadata":{a":1},"traceEvents)") == std::nullopt);
}
TEST_CASE("if the first bytes of a document do not show its kind, it may be a trace", "[registry]") {
  CHECK(kind_of(R"({"name":")", false) == JsonKind::open);
  CHECK(kind_of(R"([{"args":{"a":)", false) == JsonKind::open);
  CHECK(kind_of("[  ", false) == JsonKind::open);
  CHECK(kind_of(R"({"displayTimeUnit":"ms","metadata":{)", false) == JsonKind::trace);
}

TEST_CASE("JSON that ends before its kind can be recognised is truncated", "[registry]") {
  for (const char* text : {"{", "{\"a\":", "{\"a\":1,", "[{\"args\":{", "[{},{\"args\":{"})
    CHECK(kind_of(text) == JsonKind::cut);
}
