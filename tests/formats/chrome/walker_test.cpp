#include "formats/chrome/walker.hpp"

#include <array>
#include <string>
#include <string_view>

#include "formats/chrome/faults.hpp"
#include "formats/core/json/faults.hpp"
#include "formats/core/source.hpp"
#include "tests/support/catch.hpp"
#include "validate/collector.hpp"

using namespace heapcheck;
using chrome::Payload;

namespace {

/// Records the paths of the payloads in events that are kept, and the process id of each such event.
class Recorder final : public chrome::PayloadReader {
 public:
  explicit Recorder(Payload payload) : payload_(payload) {}
  [[nodiscard]] bool reads(Payload payload) const override { return payload == payload_; }
  void read(Payload, core::JsonReader& json, const core::JsonPlace& place, core::FindingSink&) override {
    json.skip_value();
    read_ += place.path + " ";
  }
  void forget(Payload) override { read_.clear(); }
  void finish_event(const chrome::EventHead& head, bool is_kept, core::FindingSink&) override {
    if (is_kept) kept_ += read_ + "of " + std::to_string(head.pid.value_or(-1)) + "; ";
    read_.clear();
  }
  [[nodiscard]] const std::string& kept() const { return kept_; }

 private:
  Payload payload_;
  std::string read_;
  std::string kept_;
};

struct Walk {
  Walk(std::string_view text, Payload payload, std::size_t chunk = SIZE_MAX) {
    core::MemorySource source(core::as_bytes(text), chunk);
    core::Window window(source, 64);
    Recorder recorder(payload);
    validation::Collector collector(20);
    const std::array<chrome::PayloadReader*, 1> readers{&recorder};
    chrome::Walker walker(window, Limits{}, readers, collector);
    while (walker.read_event()) {
    }
    container = walker.container();
    kept = recorder.kept();
    findings = collector.take_findings();
  }

  chrome::TraceContainer container;
  std::string kept;
  std::vector<Finding> findings;
};

}  // namespace

TEST_CASE("a payload counts whether the phase of its event comes before or after it", "[chrome][walker]") {
  const std::string after = R"([{"args":{"dumps":{"heaps":{"a":1}}},"id":"0x1","ph":"v","pid":7}])";
  const std::string before = R"([{"pid":7,"ph":"v","id":"0x1","args":{"dumps":{"heaps":{"a":1}}}}])";
  for (const std::string& text : {after, before}) {
    for (const std::size_t chunk : {1U, 7U, 64U}) {
      const Walk walk(text, Payload::heaps, chunk);
      CHECK(walk.kept == "/0/args/dumps/heaps of 7; ");
      CHECK(walk.findings.empty());
      CHECK(walk.container.is_complete);
    }
  }
}

TEST_CASE("a payload in an event with a different phase or name is dropped", "[chrome][walker]") {
  for (const char* text : {R"([{"args":{"stackFrames":{}},"ph":"X","name":"stackFrames","pid":7}])",
                           R"([{"args":{"stackFrames":{}},"ph":"M","name":"typeNames","pid":7}])",
                           R"([{"args":{"stackFrames":{}},"pid":7}])"}) {
    const Walk walk(text, Payload::stack_frames);
    CHECK(walk.kept.find("stackFrames") == std::string::npos);
    CHECK(walk.findings.empty());
  }
  const Walk kept(R"([{"args":{"stackFrames":{}},"ph":"M","name":"stackFrames","pid":7}])",
                  Payload::stack_frames);
  CHECK(kept.kept == "/0/args/stackFrames of 7; ");
}

TEST_CASE("a payload counts next to one that means nothing in the event", "[chrome][walker]") {
  const std::string text =
      R"([{"args":{"stackFrames":5,"data":7,"dumps":{"heaps":{}}},"ph":"v","pid":7,"id":"1"}])";
  CHECK(Walk(text, Payload::heaps).kept == "/0/args/dumps/heaps of 7; ");
  CHECK(Walk(text, Payload::heaps).findings.empty());
  CHECK(Walk(text, Payload::stack_frames).kept.find("stackFrames") == std::string::npos);
}

TEST_CASE("heaps in an event that is not a memory dump get a warning", "[chrome][walker]") {
  const Walk walk(R"([{"ph":"w","pid":7,"id":"1","args":{"dumps":{"heaps":{}}}}])", Payload::heaps);
  CHECK(walk.kept.find("heaps") == std::string::npos);
  REQUIRE(walk.findings.size() == 1);
  CHECK(walk.findings[0].rule == &chrome::rules::event_phase);
}

TEST_CASE("members around the events are skipped, wherever they are", "[chrome][walker]") {
  const Walk walk(R"({"stackFrames":{"1":{}},"traceEvents":[{},{"ph":"v","pid":1,"id":"2",)"
                  R"("args":{"dumps":{"heaps_v2":{}}}}],"metadata":{"args":[]}})",
                  Payload::heaps_v2);
  CHECK(walk.kept.ends_with("/traceEvents/1/args/dumps/heaps_v2 of 1; "));
  CHECK(walk.container.is_object);
  CHECK(walk.container.event_count == 2);
  CHECK(walk.findings.empty());
}

TEST_CASE("an unclosed array may end after an event or its comma, but not inside an event",
          "[chrome][walker]") {
  const std::string text = R"([{"ph":"X","a":[1]}, {"ph":"X"} , )";
  for (std::size_t length = 1; length <= text.size(); ++length) {
    const Walk walk(text.substr(0, length), Payload::heaps);
    const std::string_view rest = std::string_view(text).substr(0, length);
    const bool is_between = std::ranges::count(rest, '{') == std::ranges::count(rest, '}');
    INFO(rest);
    CHECK(walk.container.is_unclosed == is_between);
    REQUIRE(walk.findings.size() == 1);
    CHECK(walk.findings[0].rule ==
          (is_between ? &chrome::rules::events_unclosed : &core::rules::json_document_truncated));
  }
}

TEST_CASE("a dump inside a string is read, and its spans refer to the decoded text", "[chrome][walker]") {
  const Walk walk(R"([{"ph":"v","pid":1,"id":"2","args":{"dumps":"{\"heaps\":{}}"}}])", Payload::heaps);
  CHECK(walk.kept == "/0/args/dumps/heaps of 1; ");
  const Walk broken(R"([{"ph":"v","pid":1,"id":"2","args":{"dumps":"{\"heaps\":{}"}}])", Payload::heaps);
  REQUIRE(broken.findings.size() == 2);
  const auto& place = broken.findings[1].location.content;
  REQUIRE(place);
  CHECK(place->offset == 11);
}

TEST_CASE("findings in an event without a phase that has payloads are dropped", "[chrome][walker]") {
  const Walk walk(R"([{"args":{"dumps":5},"ph":"X"},{"ph":"X","ph":"Y","args":{"dumps":{}}}])",
                  Payload::heaps);
  CHECK(walk.findings.empty());
}
