#include "heapcheck/dump.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "heapcheck/convert.hpp"
#include "heapcheck/recover.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;

namespace {

std::string path_of(const std::string& seed) { return (tests::root / "corpus" / seed).string(); }

struct Row {
  std::uint64_t nodes;
  std::uint64_t edges;
  std::uint64_t bytes;
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> list(const Dump& dump) {
  std::vector<Row> rows;
  for (const Snapshot& snapshot : dump.snapshots()) {
    CHECK(snapshot.index() == rows.size());
    CHECK(snapshot.is_whole());
    rows.push_back({snapshot.node_count(), snapshot.edge_count(), snapshot.byte_count()});
  }
  return rows;
}

/// Counts the bytes read from the input.
struct Counter {
  std::uint64_t read = 0;
  [[nodiscard]] ReadOptions options() {
    return {.on_read = [this](std::uint64_t byte_count) { read += byte_count; }};
  }
};

/// Why nothing was written; empty if something was written.
template <class Done>
std::string error_of(const Result<Done>& done) {
  return done ? std::string() : done.error().message;
}

const std::string every_format[] = {
    "mvmheap/v1/seed/moar-2017.08-small.txt",    "mvmheap/v2/seed/moar-2017.10-small.mvmheap",
    "mvmheap/v2/seed/layout-b.mvmheap",          "mvmheap/v3/seed/moar-2022.12-nqp.mvmheap",
    "v8/heapsnapshot/seed/node-16.heapsnapshot", "mvmheap/v2/seed/layout-c.mvmheap",
    "v8/heapprofile/seed/small.heapprofile",
};

}  // namespace

TEST_CASE("a dump of any format lists its snapshots any number of times", "[door]") {
  for (const std::string& seed : every_format) {
    CAPTURE(seed);
    const auto dump = heapcheck::open(path_of(seed));
    REQUIRE(dump);
    const std::vector<Row> rows = list(*dump);
    REQUIRE(!rows.empty());
    CHECK(rows.front().nodes != 0);
    CHECK(rows.front().bytes != 0);
    CHECK(list(*dump) == rows);
    CHECK(heapcheck::validate(*dump).verdict == Verdict::valid);
    CHECK(list(*dump) == rows);
  }
}

TEST_CASE("the graph of a snapshot has its nodes, edges and bytes", "[door]") {
  for (const std::string& seed : every_format) {
    CAPTURE(seed);
    const auto dump = heapcheck::open(path_of(seed));
    REQUIRE(dump);
    for (const Snapshot& snapshot : dump->snapshots()) {
      const auto graph = snapshot.graph();
      REQUIRE(graph);
      CHECK(graph->node_count() == snapshot.node_count());
      CHECK(graph->edge_count() == snapshot.edge_count());
      std::uint64_t bytes = 0;
      bool has_name = false;
      for (const Node node : graph->nodes()) {
        bytes += node.size();
        has_name = has_name || !node.name().empty();
      }
      CHECK(bytes == snapshot.byte_count());
      CHECK(has_name);
    }
  }
}

TEST_CASE("a snapshot outlives the iteration over its dump", "[door]") {
  std::vector<Snapshot> kept;
  {
    const auto dump = heapcheck::open(path_of("mvmheap/v3/seed/two-snapshots.mvmheap"));
    REQUIRE(dump);
    for (const Snapshot& snapshot : dump->snapshots()) kept.push_back(snapshot);
  }
  REQUIRE(kept.size() == 2);
  for (const Snapshot& snapshot : kept) CHECK(snapshot.graph()->node_count() == snapshot.node_count());
}

TEST_CASE("an iteration continues even if its dump is checked or converted in the meantime", "[door]") {
  const tests::Scratch scratch;
  for (const std::string& seed : every_format) {
    CAPTURE(seed);
    const auto dump = heapcheck::open(path_of(seed));
    REQUIRE(dump);
    const std::vector<Row> rows = list(*dump);
    std::size_t count = 0;
    (void)heapcheck::validate(*dump);
    for (const Snapshot& snapshot : dump->snapshots()) {
      const Target target = targets_of(family_of(dump->format())).front();
      REQUIRE(heapcheck::convert(*dump, scratch.file("out", ""), target, {.allow_loss = true}));
      (void)heapcheck::validate(*dump);
      CHECK(snapshot.graph()->node_count() == rows[count++].nodes);
    }
    CHECK(count == rows.size());
  }
}

TEST_CASE("a snapshot is found by its index, and a missing one is an error", "[door]") {
  const auto dump = heapcheck::open(path_of("mvmheap/v3/seed/two-snapshots.mvmheap"));
  REQUIRE(dump);
  const auto second = dump->snapshot(1);
  REQUIRE(second);
  CHECK(second->index() == 1);
  const auto third = dump->snapshot(2);
  REQUIRE(!third);
  CHECK(third.error().kind == ErrorKind::unsupported);
}

TEST_CASE("the last snapshot is the last one that is not empty", "[door]") {
  const auto last_of = [](const std::string& path) {
    const auto dump = heapcheck::open(path_of(path));
    REQUIRE(dump);
    const auto last = dump->last_snapshot();
    return last ? std::optional(last->index()) : std::nullopt;
  };
  CHECK(last_of("chrome/heaps_v2/seed/chrome-120-small.json") == 0);  // the second dump is empty
  CHECK(last_of("chrome/heaps_v2/seed/in-process.json") == 3);
  CHECK(last_of("mvmheap/v1/seed/moar-2016.04-zero-snapshots.txt") == std::nullopt);
}

TEST_CASE("summarising an incomplete snapshot is an error", "[door]") {
  const auto dump = heapcheck::open(path_of("mvmheap/v3/seed/cut.mvmheap"));
  REQUIRE(dump);
  CHECK(heapcheck::summarise(*dump, 0)->errors == 0);
  CHECK(heapcheck::summarise(*dump, 1)->errors == 1);
}

TEST_CASE("a snapshot found by its index equals the one read in sequence", "[door]") {
  for (const std::string& seed : every_format) {
    CAPTURE(seed);
    const auto dump = heapcheck::open(path_of(seed));
    REQUIRE(dump);
    const std::vector<Row> rows = list(*dump);
    for (std::uint64_t index = 0; index < rows.size(); ++index) {
      const auto found = dump->snapshot(index);
      REQUIRE(found);
      CHECK(Row{found->node_count(), found->edge_count(), found->byte_count()} == rows[index]);
      const auto graph = found->graph();
      REQUIRE(graph);
      CHECK(graph->node_count() == rows[index].nodes);
    }
  }
}

TEST_CASE("a Chrome heap dump has counts but no graph", "[door]") {
  const auto dump = heapcheck::open(path_of("chrome/heaps_v2/seed/chrome-120-small.json"));
  REQUIRE(dump);
  CHECK(dump->format() == Format::chrome_trace);
  const std::vector<Row> rows = list(*dump);
  REQUIRE(!rows.empty());
  CHECK(dump->format() == Format::heaps_v2);
  const auto graph = dump->snapshots().begin()->graph();
  REQUIRE(!graph);
  CHECK(graph.error().kind == ErrorKind::unsupported);
}

TEST_CASE("anything that is not a dump is refused with a reason", "[door]") {
  const auto folder = heapcheck::open(tests::root.string());
  REQUIRE(!folder);
  CHECK(folder.error().message == "is a folder, not a file");
  const auto source = heapcheck::open((tests::root / "README.md").string());
  REQUIRE(!source);
  CHECK(source.error().kind == ErrorKind::unknown_format);
  const auto empty = heapcheck::open_bytes({});
  REQUIRE(!empty);
  CHECK(empty.error().kind == ErrorKind::unreadable);
}

TEST_CASE("checking and then converting reads the input once", "[door]") {
  const tests::Scratch scratch;
  for (const std::string& seed : every_format) {
    CAPTURE(seed);
    Counter counter;
    const auto dump = heapcheck::open(path_of(seed), counter.options());
    REQUIRE(dump);
    REQUIRE(heapcheck::validate(*dump).verdict == Verdict::valid);
    const Target target = targets_of(family_of(dump->format())).back();
    const auto done = heapcheck::convert(*dump, scratch.file("out", ""), target, {.allow_loss = true});
    REQUIRE(done);
    CHECK(done->is_written);
    CHECK(counter.read == std::filesystem::file_size(path_of(seed)));
  }
}

TEST_CASE("content that is not kept is read again, and the bytes are counted", "[door]") {
  const tests::Scratch scratch;
  Counter counter;
  ReadOptions options = counter.options();
  options.limits.max_kept = 0;
  const std::string seed = path_of("mvmheap/v3/seed/two-snapshots.mvmheap");
  const auto dump = heapcheck::open(seed, options);
  REQUIRE(dump);
  REQUIRE(heapcheck::convert(*dump, scratch.file("out", ""), {Format::mvmheap_v3}));
  // Nothing can be proved of so small a graph, so the check reads it twice.
  CHECK(counter.read == 4 * std::filesystem::file_size(seed));
}

TEST_CASE("a target to which the dump cannot be converted is refused", "[door]") {
  const tests::Scratch scratch;
  const std::string seed = path_of("mvmheap/v3/seed/two-snapshots.mvmheap");
  const std::string output = scratch.file("out", "");
  for (const Target target : {Target{Format::v8_heapsnapshot}, Target{Format::mvmheap_v2, 9}}) {
    const auto converted = heapcheck::convert(seed, output, target);
    REQUIRE(!converted);
    CHECK(converted.error().kind == ErrorKind::unsupported);
    const auto recovered = heapcheck::recover(seed, output, {.target = target});
    REQUIRE(!recovered);
    CHECK(recovered.error().kind == ErrorKind::unsupported);
  }
}

TEST_CASE("content too large to keep is read again, with the same output", "[door]") {
  const tests::Scratch scratch;
  const std::string input = path_of("mvmheap/v3/seed/two-snapshots.mvmheap");
  std::vector<std::string> written;
  for (const std::uint64_t max_kept : {std::uint64_t{0}, Limits{}.max_kept}) {
    const std::string output = scratch.file("out" + std::to_string(max_kept), "");
    ReadOptions options;
    options.limits.max_kept = max_kept;
    const auto dump = heapcheck::open(input, options);
    REQUIRE(dump);
    for (const Target target : targets_of(Family::mvmheap)) {
      REQUIRE(heapcheck::convert(*dump, output, target, {.allow_loss = true}));
      written.push_back(tests::read(output));
    }
  }
  REQUIRE(written.size() % 2 == 0);
  CHECK(std::ranges::equal(std::span(written).first(written.size() / 2),
                           std::span(written).last(written.size() / 2)));
}

TEST_CASE("a file that changes between two readings is not written", "[door]") {
  const tests::Scratch scratch;
  const std::string name(600'000, 'a');
  const std::string text = "strings: [\"" + name + "\"]\ntypes: 0,0\nstatic_frames: 0,0,1,0\n\n" +
                           "snapshot 0\ncollectables: 9,0,0,0,0,0\nreferences: \n\n";
  ReadOptions options;
  options.limits.max_kept = 0;
  for (const std::string& changed : {"#" + text.substr(1), text + "\n", text.substr(0, text.size() / 2)}) {
    const std::string path = scratch.file("a.txt", text);
    const auto dump = heapcheck::open(path, options);
    REQUIRE(dump);
    REQUIRE(heapcheck::validate(*dump).verdict == Verdict::valid);
    std::ofstream(path, std::ios::binary) << changed;
    const std::string output = (scratch.path() / "out").string();
    const auto converted = heapcheck::convert(*dump, output, {Format::mvmheap_v3}, {.allow_loss = true});
    REQUIRE(!converted);
    CHECK(converted.error().message == "changed while it was being read");
    CHECK(!heapcheck::recover(*dump, output));
    CHECK(!std::filesystem::exists(output));
  }
}

TEST_CASE("checking and then recovering reads the input once", "[door]") {
  const tests::Scratch scratch;
  const std::string whole = tests::read(path_of("mvmheap/v3/seed/two-snapshots.mvmheap"));
  const std::string cut = scratch.file("cut.mvmheap", whole.substr(0, whole.size() * 3 / 4));
  Counter counter;
  const auto dump = heapcheck::open(cut, counter.options());
  REQUIRE(dump);
  CHECK(heapcheck::validate(*dump).verdict == Verdict::not_well_formed);
  const auto done = heapcheck::recover(*dump, scratch.file("out.mvmheap", ""));
  REQUIRE(done);
  CHECK(done->is_written);
  CHECK(done->has_lost);
  CHECK(counter.read == whole.size() * 3 / 4);
}

TEST_CASE("nothing is written if the only snapshot is dropped because of a warning", "[door]") {
  const tests::Scratch scratch;
  std::string text = tests::read(path_of("mvmheap/v1/seed/moar-2016.04-small.txt"));
  text.resize(text.find("snapshot 1\n"));
  const std::size_t type = text.find(";1,", text.find("collectables: ")) + 3;  // of the first object
  const std::size_t length = text.find(',', type) - type;
  text.replace(type, length, text.substr(type, length) == "5" ? "6" : "5");
  const auto dump = heapcheck::open(scratch.file("in.txt", text));
  REQUIRE(dump);
  const Report report = heapcheck::validate(*dump);
  REQUIRE(report.verdict == Verdict::valid);
  REQUIRE(report.count(Severity::warning) == 1);
  const std::string output = (scratch.path() / "out").string();
  const auto done = heapcheck::recover(*dump, output);
  REQUIRE(done);
  CHECK_FALSE(done->is_written);
  CHECK(done->dropped_parts.size() == 1);
  CHECK_FALSE(std::filesystem::exists(output));
}

TEST_CASE("what is kept of a file with a wrong checksum is only likely", "[door]") {
  const tests::Scratch scratch;
  const std::string whole = tests::read(path_of("core/detect/seed/dump.gz"));
  for (const bool is_cut : {false, true}) {
    CAPTURE(is_cut);
    std::string bytes = whole;
    bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] ^ 1);  // the checksum of gzip
    if (is_cut) bytes.resize(bytes.size() - 8);
    const auto dump = heapcheck::open(scratch.file("damaged", bytes));
    REQUIRE(dump);
    const auto done = heapcheck::recover(*dump, scratch.file("out", ""));
    REQUIRE(done);
    const auto is_likely = [](const Repair& repair) { return repair.what.starts_with("likely"); };
    CHECK(std::ranges::any_of(done->repairs, is_likely) == !is_cut);
  }
}

TEST_CASE("the output replaces the input only on request", "[door]") {
  const tests::Scratch scratch;
  const std::string input =
      scratch.file("in.mvmheap", tests::read(path_of("mvmheap/v3/seed/two-snapshots.mvmheap")));
  const std::string before = tests::read(input);
  const auto refused = heapcheck::convert(input, input, {Format::mvmheap_v3});
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::unwritable);
  CHECK(tests::read(input) == before);
  const auto done = heapcheck::convert(input, input, {Format::mvmheap_v3}, {.is_in_place = true});
  REQUIRE(done);
  CHECK(done->is_written);
}

TEST_CASE("an input is not replaced if it has changed since it was read", "[door]") {
  const tests::Scratch scratch;
  const std::string seed = tests::read(path_of("mvmheap/v3/seed/two-snapshots.mvmheap"));
  const std::string input = scratch.file("in.mvmheap", seed);
  const auto dump = heapcheck::open(input);
  REQUIRE(dump);
  REQUIRE(heapcheck::validate(*dump).verdict == Verdict::valid);
  std::filesystem::rename(scratch.file("other", "another dump"), input);
  const std::string why = "was changed after it was read, so it was not replaced";
  CHECK(error_of(heapcheck::convert(*dump, input, {Format::mvmheap_v3}, {.is_in_place = true})) == why);
  CHECK(error_of(heapcheck::recover(*dump, input, {.is_in_place = true})) == why);
  CHECK(tests::read(input) == "another dump");
  CHECK(scratch.file_count() == 1);
}

TEST_CASE("an input that is compressed as a whole is not replaced", "[door]") {
  const tests::Scratch scratch;
  const std::string packed = tests::read(path_of("core/detect/seed/dump.gz"));
  const std::string input = scratch.file("in.gz", packed);
  const std::string why = "is compressed, but the output would not be";
  CHECK(error_of(heapcheck::convert(input, input, {Format::mvmheap_v3}, {.is_in_place = true})) == why);
  CHECK(error_of(heapcheck::recover(input, input, {.is_in_place = true})) == why);
  CHECK(tests::read(input) == packed);
}

TEST_CASE("a conversion that writes nothing reports the reason", "[door]") {
  const tests::Scratch scratch;
  const std::string output = scratch.file("out", "");
  std::filesystem::remove(output);
  const std::string seed = path_of("mvmheap/v3/seed/two-snapshots.mvmheap");
  const auto lossy = heapcheck::convert(seed, output, {Format::mvmheap_v1});
  REQUIRE(lossy);
  CHECK(!lossy->is_written);
  CHECK(!lossy->losses.empty());
  const auto other_family = heapcheck::convert(seed, output, {Format::heaps_v2});
  REQUIRE(!other_family);
  CHECK(other_family.error().kind == ErrorKind::unsupported);
  CHECK(!std::filesystem::exists(output));
}

TEST_CASE("an unknown reader is reported, and nothing is checked", "[door]") {
  const Report report = heapcheck::validate(path_of(every_format[4]), {.reader = "devtool"});
  CHECK(report.verdict == Verdict::unreadable);
  CHECK(report.error == "there is no reader called devtool");
  CHECK(heapcheck::validate(path_of(every_format[4]), {.reader = "devtools"}).format ==
        Format::v8_heapsnapshot);
}

TEST_CASE("an input that never ends and is not a dump is refused early", "[api]") {
  const auto endless = open("/dev/zero", {.limits = {.max_input = std::uint64_t{64} << 20}});
  REQUIRE_FALSE(endless);
  CHECK(endless.error().kind == ErrorKind::unknown_format);
}
