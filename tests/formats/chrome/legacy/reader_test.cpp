#include "formats/chrome/legacy/reader.hpp"

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/chrome_legacy.hpp"

using namespace heapcheck;
using namespace heapcheck::chrome::legacy;
using tests::make_legacy;
using tests::read_legacy;

namespace {

constexpr std::string_view frames = R"("0":{"name":"main"},"1":{"name":"f","parent":"0"})";
constexpr std::string_view types = R"("0":"int","17":"char")";
const std::string path = "/2/args/dumps/heaps/malloc/entries/";

const Entries& only_entries(const tests::LegacyTrace& trace) {
  REQUIRE(trace.model.processes.size() == 1);
  REQUIRE(trace.model.processes[0].dumps.size() == 1);
  REQUIRE(trace.model.processes[0].dumps[0].heaps.size() == 1);
  return trace.model.processes[0].dumps[0].heaps[0].entries;
}

/// Enough entries to make the reader use the leaf parser; the last entry has a different form.
std::string many(std::string_view entry, std::size_t count, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::string(entry) + ",";
  return text + std::string(last);
}

}  // namespace

TEST_CASE("entries are read whatever the order of their members", "[chrome][legacy]") {
  const auto trace =
      read_legacy(make_legacy(R"({"size":"25ca6","count":"8e3","bt":""},{"type":"17","bt":"1","size":"FF"},
    { "count" : "1", "bt" : "0", "more" : [1, {}], "size" : "00a" })",
                              frames, types));
  CHECK(trace.found().empty());
  const Entries& entries = only_entries(trace);
  CHECK(entries.frame == std::vector{empty_stack, FrameId{1}, FrameId{0}});
  CHECK(entries.type == std::vector{all_types, TypeId{17}, all_types});
  CHECK(entries.size == std::vector<std::uint64_t>{0x25ca6, 0xff, 0xa});
  CHECK(entries.count == std::vector<std::uint64_t>{0x8e3, no_value, 1});
}

TEST_CASE("the leaf parser and the JSON reader produce the same entries", "[chrome][legacy]") {
  for (const std::string_view entry : {R"({"size":"25ca6","count":"8e3","bt":"","type":"17"})",
                                       R"({"bt":"2147483647","size":"ffffffffffffffff"})",
                                       R"({"bt":"2147483648","size":"1"})",
                                       R"({"bt":"01","size":"1"})",
                                       R"({"bt":"1","size":"1","size":"2"})",
                                       R"({"bt":"1","size":"10000000000000000"})",
                                       R"({"bt":"1","size":""})",
                                       R"({"bt":"1","size":"1","x":"2"})",
                                       R"({"bt":"1"})",
                                       R"({})",
                                       R"({"size":"1"})",
                                       R"({"bt":"1","size":"1","type":""})",
                                       R"({"bt":"9999999","size":"01234567"})",
                                       R"({"bt":"12345678","size":"89abcdef0"})",
                                       R"({"bt":"1a","size":"FEDCBA9876543210"})",
                                       R"({"bt":"1","size":"0000000000000000f"})",
                                       R"({"bt":"0","size":"100000030","count":"fffffffffffffffe"})",
                                       R"({"bt":"1","size":"1/"})",
                                       R"({"bt":"1","size":"1:"})",
                                       R"({"bt":"1","size":"1@"})",
                                       R"({"bt":"1","size":"1G"})",
                                       R"({"bt":"1","size":"1`"})",
                                       R"({"bt":"1","size":"1g"})",
                                       R"({"bt":"1","size":"1\u00e9"})",
                                       R"({"bt":"1","size":"é"})",
                                       R"({"bt":"1","size":"12345678é1"})"}) {
    const std::string text = make_legacy(many(entry, 60, entry), frames, types);
    const auto fast = read_legacy(text);
    const auto slow = read_legacy(text, {}, 7, 64);
    INFO(entry);
    CHECK(fast.found() == slow.found());
    const auto& [a, b] = std::pair(only_entries(fast), only_entries(slow));
    CHECK(a.row_count() == 61);
    CHECK(a.frame == b.frame);
    CHECK(a.type == b.type);
    CHECK(a.size == b.size);
    CHECK(a.count == b.count);
    CHECK(a.at == b.at);
    CHECK(a.length == b.length);
    CHECK(tests::write_legacy(fast.model) == tests::write_legacy(slow.model));
  }
}

TEST_CASE("an unusual entry does not change those around it", "[chrome][legacy]") {
  for (const std::string_view odd : {R"({"size":"0x5","bt":"1"})", R"({"size":"5","bt":"1x","type":"17"})",
                                     R"({"size":"123456789","bt":"1"})", R"({"size":"5","count":" 1"})"}) {
    for (const std::size_t before : {1U, 31U, 32U, 33U, 70U}) {
      const std::string usual = R"({"size":"1f","count":"a","bt":"1","type":"17"})";
      const auto trace =
          read_legacy(make_legacy(many(usual, before, odd) + "," + many(usual, 40, usual), frames, types));
      const auto alone = read_legacy(make_legacy(odd, frames, types));
      INFO(odd << " after " << before);
      CHECK(trace.found().empty() == alone.found().empty());
      const Entries& entries = only_entries(trace);
      REQUIRE(entries.row_count() == before + 42);
      for (std::size_t row = 0; row < entries.row_count(); ++row) {
        CHECK(entries.size[row] == (row == before ? only_entries(alone).size[0] : 0x1f));
        CHECK(entries.count[row] == (row == before ? only_entries(alone).count[0] : 0xa));
        CHECK(entries.frame[row] == (row == before ? only_entries(alone).frame[0] : FrameId{1}));
        CHECK(entries.type[row] == (row == before ? only_entries(alone).type[0] : TypeId{17}));
      }
    }
  }
}

TEST_CASE("the location of an entry is known", "[chrome][legacy]") {
  const std::string entry = R"({"size":"1","bt":"1"})";
  const std::string text = make_legacy(many(entry, 100, "  " + entry), frames, types);
  const auto trace = read_legacy(text);
  const Dump& dump = trace.model.processes[0].dumps[0];
  for (std::uint64_t row = 0; row <= 100; ++row) {
    const Location location = dump.locate(dump.heaps[0], row, "/bt");
    REQUIRE(text.substr(location.file.offset, location.file.length) == entry);
    CHECK(location.path == path + std::to_string(row) + "/bt");
  }
}

TEST_CASE("ids are opaque strings", "[chrome][legacy]") {
  IdPool ids;
  const auto merged = ids.intern("0#17");
  CHECK(merged >= first_text_id);
  CHECK(ids.intern("0#17") == merged);
  CHECK(ids.intern("17") == 17);
  CHECK(ids.intern("017") != 17);
  CHECK(ids.text(FrameId{merged}) == "0#17");
  CHECK(ids.text(FrameId{ids.intern("2147483647")}) == "2147483647");
  CHECK(ids.intern("2147483647") == 2147483647U);
  CHECK(ids.text(FrameId{ids.intern("2147483648")}) == "2147483648");
  CHECK(ids.text(empty_stack).empty());
}

TEST_CASE("a value that cannot be read is reported, and the other entries are kept", "[chrome][legacy]") {
  const auto trace = read_legacy(make_legacy(
      R"({"size":"1","bt":""},null,{"size":1,"bt":"0"},{"size":"x","bt":"0"},{"size":"2","bt":null},{"size":"3","bt":1})",
      frames, types));
  CHECK(trace.found() == "legacy.value.type " + path + "1\nlegacy.value.type " + path +
                             "2/size\nlegacy.entry.hex " + path + "3/size\nlegacy.value.type " + path +
                             "4/bt\nlegacy.id.number " + path + "5/bt\n");
  const Entries& entries = only_entries(trace);
  CHECK(entries.size == std::vector<std::uint64_t>{1, no_value, no_value, no_value, 2, 3});
  CHECK(entries.frame ==
        std::vector{empty_stack, unreadable_stack, FrameId{0}, FrameId{0}, unreadable_stack, FrameId{1}});
  CHECK(trace.model.processes[0].dumps[0].heaps[0].is_damaged);
}

TEST_CASE("nothing is kept from an event that does not count", "[chrome][legacy]") {
  std::string text = make_legacy(R"({"size":"1","bt":""})", frames, types);
  text.replace(text.find(R"("ph":"v")"), 8, R"("ph":"X")");
  const auto trace = read_legacy(text);
  CHECK(trace.model.processes[0].dumps.empty());
  CHECK(trace.model.processes[0].frames.count() == 2);
}

TEST_CASE("everything that was read before the end of a truncated trace is kept", "[chrome][legacy]") {
  const std::string text = make_legacy(R"({"size":"1","bt":""})", frames, types);
  const auto trace = read_legacy(std::string_view(text).substr(0, text.size() - 20));
  CHECK(!trace.is_complete);
  CHECK(trace.model.processes[0].types.count() == 2);
  CHECK(trace.model.processes[0].dumps.empty());
}

TEST_CASE("nested stack frames of any depth are read", "[chrome][legacy]") {
  constexpr std::size_t depth = 100'000;
  std::string nested = R"("hierarchy":)";
  for (std::size_t i = 0; i < depth; ++i) nested += R"({"0":)";
  nested += R"({"bt":"5"})" + std::string(depth, '}') + R"(,"names":["f"])";
  const auto trace = read_legacy(make_legacy({}, nested, types));
  CHECK(trace.found() == "legacy.frames.hierarchy /0/args/stackFrames\n");
  const Frames& read = trace.model.processes[0].frames;
  REQUIRE(read.count() == depth);
  CHECK(read.id.back() == FrameId{5});
  CHECK(read.parent.front() == empty_stack);
  CHECK(read.parent.back() == read.id[depth - 2]);
}

TEST_CASE("a nested frame does not get the id of another frame", "[chrome][legacy]") {
  const std::string both =
      R"("hierarchy":{"0":{"bt":"5"},"1":{"bt":"6"}},"names":["f","g"],"5":{"name":"h"})";
  const auto trace = read_legacy(make_legacy({}, both, types));
  CHECK(trace.found().find("legacy.frame.duplicate-id") != std::string::npos);
  const Frames& read = trace.model.processes[0].frames;
  REQUIRE(read.count() == 3);
  CHECK(read.id[0] == FrameId{5});
  CHECK(read.id[1] != FrameId{5});
  CHECK(read.id[2] == FrameId{6});
}

TEST_CASE("memory is limited", "[chrome][legacy]") {
  Limits limits;
  limits.max_memory = 100'000;
  const std::string entry = R"({"size":"1","bt":"1"})";
  for (const std::size_t capacity : {std::size_t{64}, core::Window::default_capacity}) {
    const auto trace =
        read_legacy(make_legacy(many(entry, 20'000, entry), frames, types), limits, 1000, capacity);
    REQUIRE(trace.findings.size() == 1);
    CHECK(trace.findings[0].rule->id == "limit.memory");
    CHECK(trace.findings[0].location.file.offset > limits.max_memory / 4);
    CHECK(trace.findings[0].location.file.offset < limits.max_memory);
  }
}

TEST_CASE("frames and entries that are read ahead keep their ids and names", "[chrome][legacy][threads]") {
  std::string text = "[";
  for (int i = 0; i < 4; ++i) {
    const std::string trace = make_legacy(
        fmt::format(R"({{"size":"9","bt":""}},{{"size":"5","bt":"b{0}"}},{{"size":"4","bt":"a{0}"}})", i % 3),
        fmt::format(R"("a{0}":{{"name":"main"}},"b{0}":{{"name":"f{0}","parent":"a{0}"}})", i % 3), types);
    text += trace.substr(1, trace.size() - 2) + (i < 3 ? "," : "]");
  }
  Limits limits;
  const std::string one_thread = tests::write_legacy(read_legacy(text, limits).model);
  CHECK(one_thread.contains("\"b2\""));
  limits.max_threads = 3;
  const auto several = read_legacy(text, limits);
  CHECK(several.ahead == 7);
  CHECK(tests::write_legacy(several.model) == one_thread);
}
