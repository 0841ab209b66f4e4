#include "formats/v8/heapsnapshot/writer.hpp"

#include <filesystem>

#include "formats/v8/heapsnapshot/string_table.hpp"
#include "tests/support/heapsnapshots.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapsnapshot;
using tests::make_snapshot;
using tests::read_snapshot_seed;

namespace {

/// A sink that is full from the start.
class FullSink final : public core::ByteSink {
 public:
  Result<void> write(core::ByteSpan) override {
    return std::unexpected(Error{ErrorKind::unwritable, "is full"});
  }
};

}  // namespace

TEST_CASE("files written by released programs are written back byte for byte", "[v8][heapsnapshot]") {
  for (const char* name :
       {"chrome-64.heapsnapshot", "chrome-120-stacks.heaptimeline", "chrome-156.heapsnapshot",
        "node-10.heapsnapshot", "node-12-stacks.heaptimeline", "node-16.heapsnapshot", "node-20.heaptimeline",
        "node-22-numeric.heapsnapshot", "node-24-stacks.heaptimeline"}) {
    INFO(name);
    const std::string text = read_snapshot_seed(name);
    CHECK(tests::write_snapshot(tests::read_snapshot(text).snapshot) == text);
  }
}

TEST_CASE("snapshots in other forms are written in V8's form", "[v8][heapsnapshot]") {
  const std::string usual = make_snapshot("1,1,1,0,0", "", R"j("a","\u00E9")j");
  const std::string other = make_snapshot(" 1, 1,1 ,0,0", " ", R"j("a" , "é")j");
  CHECK(tests::write_snapshot(tests::read_snapshot(other).snapshot) == usual);
}

TEST_CASE("a snapshot of several chunks and blocks is written back byte for byte", "[v8][heapsnapshot]") {
  std::string nodes = "1,0,1,0,0";
  std::string strings = "\"\"";
  for (int i = 1; i < 30'000; ++i) {
    nodes += ",0," + std::to_string(i % 9) + "," + std::to_string(2 * i + 1) + ",16,0";
    strings += ",\"s" + std::to_string(i) + "\"";
  }
  const std::string text = make_snapshot(nodes, "", strings);
  const auto reading = tests::read_snapshot(text);
  CHECK(tests::write_snapshot(reading.snapshot) == text);
  CHECK(tests::read_snapshot(tests::write_snapshot(reading.snapshot)).snapshot == reading.snapshot);
}

TEST_CASE("numbers from 2^63 on are preserved", "[v8][heapsnapshot]") {
  const std::string text = make_snapshot("1,0,18446744073709551615,9223372036854775808,0", "", "\"\"");
  CHECK(tests::write_snapshot(tests::read_snapshot(text).snapshot) == text);
}

TEST_CASE("rows with numbers from 2^63 on stay on their own lines", "[v8][heapsnapshot]") {
  const std::string nodes = "1,0,1,0,0\n,1,0,18446744073709551615,9223372036854775808,0\n";
  const std::string text = make_snapshot(nodes, "", "\"\"");
  const Snapshot snapshot = tests::read_snapshot(text).snapshot;
  CHECK(tests::write_snapshot(snapshot) == text);
  const Span last = find_value(snapshot.table(Section::nodes), 1, 3);
  CHECK(text.substr(last.offset, last.length) == "9223372036854775808");
}

TEST_CASE("half a surrogate pair in the name of a column or type is replaced once", "[v8][heapsnapshot]") {
  for (const std::string part : {"\"synthetic\"", "\"node\"", "\"self_size\""}) {
    std::string text = make_snapshot("1,0,1,0,0", "", "\"\"");
    text.replace(text.find(part), part.size(), R"("a\ud83d")");
    const auto reading = tests::read_snapshot(text);
    CHECK(tests::read_snapshot(tests::write_snapshot(reading.snapshot)).snapshot == reading.snapshot);
  }
}

TEST_CASE("an output that cannot be written is an error", "[v8][heapsnapshot]") {
  FullSink sink;
  const auto snapshot = tests::read_snapshot(read_snapshot_seed("node-16.heapsnapshot")).snapshot;
  CHECK_FALSE(write_snapshot(snapshot, sink));
}

TEST_CASE("decoding a spelling returns the original text", "[v8][heapsnapshot]") {
  std::string spelling;
  append_spelling("a\"\\\n\x01é😀/", spelling);
  CHECK(spelling == R"(a\"\\\n\u0001\u00E9\uD83D\uDE00/)");
  CHECK(decode_spelling(spelling) == "a\"\\\n\x01é😀/");
  CHECK(decode_spelling("\\uD83D") == "\xEF\xBF\xBD");
}
