#include "formats/detect.hpp"

#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

/// Returns whether the explanation for a file that begins with `text` contains `part`.
bool says(std::string_view text, std::string_view part) {
  return formats::detect(core::as_bytes(text)).explanation.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the explanation for an unknown file names every supported version", "[registry]") {
  CHECK(says("\xEF\xBB\xBFstrings: [\"a\"]\n", "strings: "));
  CHECK(says("MoarHeapDumpv004", "is a MoarVM heap dump of version 4, expected version 1, 2 or 3"));
}

TEST_CASE("a file that ends inside the magic is distinguished from one of a different version",
          "[registry]") {
  constexpr std::string_view magic = "MoarHeapDumpv003";
  for (std::size_t length = 1; length < magic.size(); ++length) {
    CHECK(says(magic.substr(0, length), "ends inside the first 16 bytes"));
  }
  CHECK(says("MoarHeapDumpvXYZ", "not a 3-digit number"));
}

TEST_CASE("the explanation for unknown JSON names all JSON formats", "[registry]") {
  const std::string large = R"({"name":"x","files":[")" + std::string(formats::detection_bytes, 'x');
  for (const std::string& text : {std::string(R"({"name":"x"})"), large}) {
    for (const char* part : {"not in a known format", "`traceEvents`", "`snapshot`", "`head`"})
      CHECK(says(text, part));
  }
  CHECK(formats::detect(core::as_bytes(large)).is_guess);
  CHECK(says("{", "ends before its format can be recognised"));
}

TEST_CASE("UTF-16 is recognised by its byte order mark or by its zero bytes", "[registry]") {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"\xFF\xFE"sv, "\xFE\xFFx"sv, "{\0\"\0"sv, "\0{\0\n\0\""sv})
    CHECK(says(text, "is UTF-16 text"));
  for (const std::string_view text : {"{\0"sv, "{\0\"s"sv, "\1\0\2\0"sv, "\0\0\0\0"sv, "{}{}"sv})
    CHECK_FALSE(says(text, "UTF-16"));
}

TEST_CASE("sampling heap profiles are distinguished from other JSON", "[registry]") {
  const auto format_of = [](const std::string& text) {
    return formats::detect(core::as_bytes(std::string_view(text).substr(0, formats::detection_bytes))).format;
  };
  const std::string samples = R"({"samples":[{"size":64,"nodeId":2,"ordinal":1})";
  CHECK(format_of(R"({"head":{"callFrame":{}}})") == Format::v8_heapprofile);
  CHECK(format_of(R"({"startTime":0,"head":{"functionName":"","selfSize":)") == Format::v8_heapprofile);
  CHECK(format_of(samples + std::string(5000, ' ')) == Format::v8_heapprofile);
  CHECK(format_of(R"({"samples":[{"cpu":0,"ts":1}],"traceEvents":[)") == Format::chrome_trace);
  CHECK(format_of(R"({"samples":[1,[2],{}],"traceEvents":[)") == Format::chrome_trace);
  CHECK(says(R"({"head":{"functionName":"","hitCount":0}})", "CPU profile"));
}

TEST_CASE("heap snapshots of WebKit are named, with what to do", "[registry]") {
  for (const std::string_view text : {R"({"version":3,"type":"Inspector","nodes":[0,0,0,0],"edges":[]})",
                                      R"({"type": "GCDebugging", "version": 2, "nodes": [0)"}) {
    CHECK(says(text, "is a heap snapshot in WebKit's format"));
    CHECK(says(text, "`generateHeapSnapshot(\"v8\")`"));
    CHECK_FALSE(formats::detect(core::as_bytes(text)).format);
  }
  const auto format_of = [](std::string_view text) { return formats::detect(core::as_bytes(text)).format; };
  CHECK(format_of(R"({"type":"other","snapshot":{}})") == Format::v8_heapsnapshot);
  CHECK(format_of(R"({"type":[{"Inspector":1}],"traceEvents":[]})") == Format::chrome_trace);
}

TEST_CASE("the binary parts of a heap snapshot that Julia streamed are named", "[registry]") {
  using namespace std::string_literals;
  const auto number = [](char value) { return std::string(1, value) + std::string(7, '\0'); };
  const auto node = [&number](char name, char id) {
    return "\0"s + number(name) + number(id) + number(0) + number(0) + "\0"s;
  };
  const std::string nodes = node(0, 0) + node(1, 1) + node(2, 2);
  const std::string edges =
      "\0"s + number(1) + number(0) + number(1) + "\0"s + number(2) + number(0) + number(2);
  const std::string strings = number(0) + number(8) + "GC roots" + number(22) + "GC finalizer list roots";
  CHECK(says(nodes, "is the part `.nodes` of a heap snapshot that Julia streamed"));
  CHECK(says(edges, "is the part `.edges` of"));
  CHECK(says(strings, "is the part `.strings` of"));
  CHECK(says(strings, "`Profile.HeapSnapshot.assemble_snapshot`"));
  CHECK_FALSE(says(std::string(100, '\0'), "Julia"));
}

TEST_CASE("the header of a heap snapshot that Julia streamed is named if it is the whole file",
          "[registry]") {
  const std::string header =
      "{\"snapshot\":{\n  \"meta\":{\n    \"node_fields\":[\"type\"],\n    \"edge_types\":[[\"internal\"],"
      "\"string_or_number\",\"from_node\"]\n  },\n  \"node_count\":3,\n  \"edge_count\":2\n}\n";
  const auto explain = [](const std::string& text) {
    return formats::explain_streamed_header(core::as_bytes(text)).value_or("nothing");
  };
  CHECK(explain(header + "}").starts_with("is the part `.metadata.json` of"));
  CHECK(explain(header + ",\"nodes\":[]}") == "nothing");
  CHECK(explain(header) == "nothing");
  CHECK(explain("{\"snapshot\":{\"meta\":{}}}") == "nothing");
}
