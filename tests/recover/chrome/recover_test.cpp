#include "recover/chrome/recover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using recovery::chrome::Recovery;

namespace {

struct Recovered {
  Recovery recovery;
  std::string text;
};

Recovered recover(const std::string& text) {
  core::MemorySource source(core::as_bytes(text));
  core::MemorySink out;
  const auto recovery = recovery::chrome::recover(source, {}, out);
  REQUIRE(recovery);
  return {*recovery, std::string(core::as_text(out.bytes()))};
}

std::string read_seed(const std::string& name) { return tests::read_corpus("chrome/" + name); }

/// The object that begins at `begin`.
std::string read_object(const std::string& text, std::size_t begin) {
  bool in_string = false;
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (text[i] == '\\') ++i;
    if (in_string) continue;
    depth += text[i] == '{' ? 1 : 0;
    depth -= text[i] == '}' ? 1 : 0;
    if (depth == 0) return text.substr(begin, i + 1 - begin);
  }
  return {};
}

/// The events of a trace, with a comma and a line break between them.
std::vector<std::string> split_events(const std::string& text) {
  std::vector<std::string> events;
  for (std::size_t begin = text.find("{\"", 1); begin != std::string::npos;) {
    events.push_back(read_object(text, begin));
    const std::size_t end = begin + events.back().size();
    begin = text.compare(end, 3, ",\n{") == 0 ? end + 2 : std::string::npos;
  }
  return events;
}

/// A dump of a process with its own node, which has the id of the dump, and a row for each of `nodes`.
std::string make_dump(int pid, int dump, const std::vector<int>& nodes) {
  const std::vector<int> ones(nodes.size(), 1);
  const std::vector<int> no_types(nodes.size(), 0);
  return fmt::format(
      R"j({{"ph":"v","pid":{},"id":"0x{:x}","args":{{"dumps":{{"heaps_v2":{{"version":1,"allocators":{{"malloc":)j"
      R"j({{"nodes":[{}],"types":[{}],"counts":[{}],"sizes":[{}]}}}},"maps":{{"nodes":[{{"id":{},"name_sid":{}}}],)j"
      R"j("strings":[{{"id":{},"string":"f"}}]}}}}}}}}}})j",
      pid, dump, fmt::join(nodes, ","), fmt::join(no_types, ","), fmt::join(ones, ","), fmt::join(ones, ","),
      dump, dump, dump);
}

std::string make_trace(const std::vector<std::string>& events) {
  return fmt::format("{{\"traceEvents\":[\n{}\n]}}", fmt::join(events, ",\n"));
}

const std::string task = R"({"ph":"X","name":"task","pid":1,"ts":5})";

}  // namespace

TEST_CASE("a trace that cannot be read to its end is not recovered", "[recover][chrome]") {
  class Failing final : public core::SeekableSource {
   public:
    Failing(std::string text, ErrorKind kind) : text_(std::move(text)), kind_(kind) {}
    [[nodiscard]] std::uint64_t byte_count() const override { return text_.size(); }
    Result<std::size_t> read_at(std::uint64_t offset, core::MutableByteSpan buffer) override {
      if (offset >= text_.size()) return std::unexpected(Error{kind_, "is on a broken disk"});
      return core::MemorySource(core::as_bytes(text_)).read_at(offset, buffer);
    }

   private:
    std::string text_;
    ErrorKind kind_;
  };
  for (const ErrorKind kind : {ErrorKind::unreadable, ErrorKind::limit, ErrorKind::timeout}) {
    for (const std::string& text : {read_seed("legacy/seed/cut.json"), std::string("[")}) {
      Failing source(text, kind);
      core::MemorySink out;
      const auto recovery = recovery::chrome::recover(source, {}, out);
      REQUIRE(!recovery);
      CHECK(recovery.error().kind == kind);
      CHECK(recovery.error().message == "is on a broken disk");
      CHECK(out.bytes().empty());
    }
  }
}

TEST_CASE("recovering a trace cut off anywhere keeps its whole events and heap dumps", "[chrome][recover]") {
  const std::string name = GENERATE("heaps_v2/seed/in-process.json", "heaps_v2/seed/chrome-120-small.json",
                                    "legacy/seed/whole.json");
  const std::string text = read_seed(name);
  const std::size_t step = text.size() / 5000 + 1;
  for (std::size_t length = text.size() % step; length <= text.size(); length += step) {
    const auto [recovery, written] = recover(text.substr(0, length));
    INFO(name << " cut at " << length);
    std::size_t end = 0;
    std::uint64_t whole = 0;
    for (const std::string& event : split_events(text)) {
      end = text.find(event, end) + event.size();
      whole += end <= length ? 1U : 0U;
    }
    REQUIRE(recovery.kept_events == whole);
    if (whole != 0) REQUIRE(tests::check(written).verdict == Verdict::valid);
    if (length == text.size()) CHECK(written == text);
  }
}

TEST_CASE("recovering a sound trace changes nothing", "[chrome][recover]") {
  const std::string name = GENERATE("heaps_v2/seed/chrome-120-small.json", "heaps_v2/seed/other-tools.json",
                                    "heaps_v2/seed/proposal.json", "legacy/seed/chrome-64-small.json",
                                    "legacy/seed/merged-ids.json", "legacy/seed/old-variant.json");
  const std::string text = read_seed(name);
  const auto [recovery, written] = recover(text);
  CHECK(written == text);
  CHECK_FALSE(recovery.has_lost());
  CHECK(recovery.punctuation_changes == 0);
}

TEST_CASE("events after a damaged one are kept", "[chrome][recover]") {
  const std::string damaged = R"({"ph":"X","name":"da)" + std::string(3, '\0') + R"(aged","args":{)";
  const auto [recovery, written] = recover(make_trace({task, damaged, task, make_dump(1, 1, {1})}));
  CHECK(recovery.kept_events == 3);
  CHECK(recovery.kept_dumps == 1);
  CHECK(recovery.dropped_events == 1);
  CHECK(recovery.events.at(1).what == "event 1");
  CHECK(recovery.events.at(1).reason.ends_with(
      "the " + std::to_string(damaged.size() + 2) +
      " bytes up to the next event are left out and may contain more events"));
  CHECK_FALSE(recovery.is_cut);
  CHECK(split_events(written) == std::vector{task, task, make_dump(1, 1, {1})});
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("events after a damaged one are kept if all are on one line", "[chrome][recover]") {
  const std::string damaged = R"({"ph":"X","args":{"a":[{"b":1}x,{"c":2}]}})";
  const auto [recovery, written] = recover("[" + task + "," + damaged + ", " + task + "]");
  CHECK(recovery.dropped_events == 1);
  CHECK(written == "[" + task + ",\n" + task + "]");
}

TEST_CASE("an object inside a damaged event is no event", "[chrome][recover]") {
  const std::string damaged = "{\"ph\":\"v\",\"id\":x,\"maps\":[\n{\"id\":1},\n{\"id\":2}]}";
  const auto [recovery, written] = recover(make_trace({damaged, task}));
  CHECK(recovery.kept_events == 1);
  CHECK(recovery.dropped_events == 1);
  CHECK(split_events(written) == std::vector{task});
}

TEST_CASE("a heap dump that adds to a damaged one is left out, one with maps of its own is kept",
          "[chrome][recover]") {
  const std::string damaged = make_dump(1, 1, {1}).substr(0, 100);
  const auto [recovery, written] =
      recover(make_trace({damaged, make_dump(1, 2, {1, 1, 2}), make_dump(1, 3, {3}), make_dump(2, 1, {1}),
                          make_dump(2, 2, {1, 1, 2})}));
  CHECK(recovery.kept_dumps == 3);
  CHECK(recovery.dropped_events == 2);
  CHECK(recovery.dropped_dumps == 1);
  REQUIRE(recovery.events.size() == 2);
  CHECK(recovery.events.rbegin()->second.what == "heap dump 0x2 of process 1, event 1");
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("a long chain of heap dumps that add to a damaged one is left out", "[chrome][recover]") {
  std::vector<std::string> events{make_dump(1, 1, {1}).substr(0, 100)};
  for (int i = 2; i < 40; ++i) events.push_back(make_dump(1, i, {i - 1, i - 1, i}));
  events.push_back(make_dump(2, 1, {1}));
  events.push_back(task);
  const auto [recovery, written] = recover(make_trace(events));
  CHECK(recovery.kept_events == 2);
  CHECK(recovery.kept_dumps == 1);
  CHECK(recovery.dropped_dumps == 38);
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("heap dumps whose stack frames are lost are left out, other events are kept", "[chrome][recover]") {
  const auto events = split_events(read_seed("legacy/seed/whole.json"));
  REQUIRE(events.size() > 3);
  std::vector<std::string> without_frames(events.begin() + 1, events.end());
  without_frames.push_back(task);
  const auto [recovery, written] = recover(make_trace(without_frames));
  CHECK(recovery.kept_dumps == 0);
  CHECK(recovery.dropped_dumps == events.size() - 2);
  CHECK(recovery.events.size() == recovery.dropped_dumps);
  CHECK(split_events(written) == std::vector{events[1], task});
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("a long chain of stack frames below a lost one is left out", "[chrome][recover]") {
  std::vector<std::string> events;
  for (int i = 1; i < 2000; ++i) {
    events.push_back(fmt::format(
        R"j({{"ph":"M","name":"stackFrames","pid":1,"args":{{"stackFrames":{{"{}":{{"name":"f","parent":"{}"}}}}}}}})j",
        i, i - 1));
  }
  events.push_back(task);
  const auto [recovery, written] = recover(make_trace(events));
  CHECK(recovery.kept_events == 1);
  CHECK(recovery.dropped_events == events.size() - 1);
  CHECK(recovery.dropped_dumps == 0);
}

TEST_CASE("missing and superfluous commas and brackets are corrected", "[chrome][recover]") {
  const std::string dump = make_dump(1, 1, {1});
  const std::string text =
      GENERATE_COPY("[" + task + "," + dump, "[" + task + " " + dump + "]", "[," + task + ",," + dump + "]",
                    "[" + task + "," + dump + ",]", "{\"traceEvents\":[" + task + "," + dump + ",],}");
  const auto [recovery, written] = recover(text);
  INFO(written);
  CHECK(recovery.kept_events == 2);
  CHECK(recovery.punctuation_changes != 0);
  CHECK_FALSE(recovery.has_lost());
  CHECK(written.find(dump) != std::string::npos);
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("whole members beside the events are kept, others are listed", "[chrome][recover]") {
  const std::string events = "{\"traceEvents\":[" + task + "]";
  const auto [recovery, written] =
      recover(events + ",\"traceEvents\":[],\"a\":{\"b\":1},\"metadata\":{\"c\":");
  CHECK(written == events + ",\n\"a\":{\"b\":1}\n}\n");
  CHECK(recovery.dropped_members == 2);
  CHECK(recovery.members[0].what == "traceEvents");
  CHECK(recovery.members[0].reason == "the trace has a second one, expected one");
  CHECK(recovery.members[1].what == "metadata");
  CHECK(recovery.members[1].reason == "the trace ends inside it");
  const auto trailing = recover(events + "}\n x y");
  CHECK(trailing.text == events + "}\n ");
  CHECK(trailing.recovery.dropped_bytes == 3);
}

TEST_CASE("members after a damaged one are kept", "[chrome][recover]") {
  const std::string events = "\"traceEvents\":[" + task + "]";
  const std::string damaged = GENERATE(R"("metadata":{"a":tru})", R"("metadata":{"a":"b})", R"("metadata":)",
                                       R"("metadata"5)", R"("metadata":{"a":x,"b":{}})");
  const auto before = recover("{" + damaged + "," + events + ",\"samples\":[]}");
  CHECK(before.text == "{" + events + ",\"samples\":[]}");
  CHECK(before.recovery.dropped_members == 1);
  CHECK(before.recovery.members.front().what == "metadata");
  const auto after = recover("{" + events + "," + damaged + ",\"other\":1,\"samples\":[]}");
  CHECK(after.recovery.kept_events == 1);
  CHECK(tests::check(after.text).verdict == Verdict::valid);
}

TEST_CASE("events are kept if a bracket or quote of a member before them is lost", "[chrome][recover]") {
  const std::string events = "\"traceEvents\":[" + task + "]";
  CHECK(recover("{\"a\":{\"b\":1," + events + "}").text == "{" + events + "}");
  CHECK(recover("{\"a\":{\"b\":1}}," + events + "}").text == "{\"a\":{\"b\":1},\n" + events + "}");
  CHECK(recover("{\"a\":\"b," + events + "}").text == "{\"a\":\"b,\",\n" + events + "}");
  const std::string sound = "{\"a\":{\"traceEvents\":[]}," + events + "}";
  CHECK(recover(sound).text == sound);
}

TEST_CASE("the number of events after the end of a truncated trace is unknown", "[chrome][recover]") {
  const std::string events = "[" + task + "," + task;
  CHECK(recover("{\"traceEvents\":" + events + ",").recovery.is_cut);
  CHECK(recover(events + ",{\"ph\":").recovery.is_cut);
  CHECK_FALSE(recover(events + "]").recovery.is_cut);
  CHECK_FALSE(recover("{\"traceEvents\":" + events + "]}").recovery.is_cut);
}

TEST_CASE("nothing is written if no event of a damaged trace is whole", "[chrome][recover]") {
  const std::string text = GENERATE("[", "{\"traceEvents\":[{\"ph\":\"v\"", "{\"metadata\":", "[5,{\"ph\":]");
  const auto [recovery, written] = recover(text);
  CHECK(recovery.kept_events == 0);
  if (recovery.has_lost()) CHECK(written.empty());
}

TEST_CASE("a thousand damaged events are listed, the others are counted", "[chrome][recover]") {
  std::string text = "[" + task;
  for (int i = 0; i < 5000; ++i) text += ",5";
  const Recovery recovery = recover(text + "]").recovery;
  CHECK(recovery.dropped_events == 5000);
  REQUIRE(recovery.events.size() == 1000);
  CHECK(recovery.events.at(1).reason == "the event is a number, expected an object");
}

TEST_CASE("a limit on memory bounds the list of damaged parts", "[chrome][recover]") {
  std::string text = "[";
  for (int i = 0; i < 10000; ++i) text += "5,";
  text += task + "]";
  core::MemorySource source(core::as_bytes(text));
  core::MemorySink out;
  const auto recovery = recovery::chrome::recover(source, {.max_memory = 1 << 16}, out);
  REQUIRE_FALSE(recovery);
  CHECK(recovery.error().kind == ErrorKind::limit);
}
