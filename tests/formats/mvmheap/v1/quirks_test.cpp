#include "formats/mvmheap/v1/quirks.hpp"

#include "convert/plan.hpp"
#include "graph/make_graph.hpp"
#include "tests/formats/mvmheap/v1/dump.hpp"
#include "tests/support/check.hpp"
#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

constexpr std::uint64_t kind_mask = 3;

/// A copy of a dump as a 32-bit MoarVM would have written it: kind, 0 and index.
std::string write_without_targets(v1::Dump dump) {
  for (mvmheap::v1::LinePart& part : dump.parts) {
    mvmheap::References items;
    for (std::uint64_t i = 0; i < part.snapshot.references.count(); ++i) {
      const std::uint64_t description = part.snapshot.references.description[i];
      items.description.push_back(description & kind_mask);
      items.target.push_back(description >> 2);
    }
    part.snapshot.references = items;
  }
  return v1::write_all(dump);
}

}  // namespace

TEST_CASE("references without targets are recognised, and their kinds and indices are read") {
  for (const std::string seed : {"moar-2016.04-small.txt", "moar-2017.08-small.txt"}) {
    CAPTURE(seed);
    const v1::Dump original = v1::read_all(v1::read_sample(seed));
    const std::string text = write_without_targets(original);
    const v1::Dump dump = v1::read_all(text);
    REQUIRE(dump.parts.size() == original.parts.size());
    for (std::size_t i = 0; i < dump.parts.size(); ++i) {
      const mvmheap::Snapshot& snapshot = dump.parts[i].snapshot;
      CHECK(!snapshot.references.has_targets);
      CHECK(snapshot.references.description == original.parts[i].snapshot.references.description);
      CHECK(snapshot.collectables == original.parts[i].snapshot.collectables);
    }
    CHECK(v1::write_all(dump) == text);
    const Report report = check(text);
    CHECK(report.verdict == Verdict::valid);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].rule->id == "mvm1.references.targets");
  }
}

TEST_CASE("a dump of which every reference has the index 0 keeps its targets") {
  const std::string text =
      "strings: [\"a\",\"b\"]\ntypes: 0,1\nstatic_frames: \n\nsnapshot 0\n"
      "collectables: 9,0,0,0,0,2;1,0,8,0,0,0;1,0,8,0,0,0\nreferences: 0,0,1;2,0,2\n\n";
  const v1::Dump dump = v1::read_all(text);
  REQUIRE(dump.parts.size() == 1);
  CHECK(dump.parts[0].snapshot.references.has_targets);
}

TEST_CASE("a dump without targets has no graph, and is converted to version 1 only") {
  const Bytes bytes = read_corpus_bytes("mvmheap/v1/crash/32-bit.txt");
  const mvmheap::Snapshot snapshot = read_model(bytes).snapshots.at(0);
  CHECK(!graph::make_graph(snapshot, read_model(bytes).tables, Limits{}));
  core::MemorySource source(bytes);
  for (const Target target : targets_of(Family::mvmheap)) {
    CAPTURE(name_of(target));
    formats::Content content;
    conversion::Request request;
    request.target = target;
    const auto plan = conversion::make_plan(source, Format::mvmheap_v1, content, request);
    CHECK(plan.has_value() == (target.format == Format::mvmheap_v1));
  }
  CHECK(convert(bytes, {.format = Format::mvmheap_v1}) == bytes);
}

TEST_CASE("a dump without targets is recovered as version 1 only") {
  const Bytes bytes = read_corpus_bytes("mvmheap/v1/crash/32-bit.txt");
  CHECK(recover(bytes).bytes == bytes);
  recovery::mvmheap::RecoverOptions options;
  options.target = Target{.format = Format::mvmheap_v3};
  const Recovered other = recover(bytes, options);
  REQUIRE(other.recovery);
  CHECK(other.bytes.empty());
  REQUIRE(other.recovery->dropped_snapshots.size() == 2);
  CHECK(other.recovery->dropped_snapshots[0].reason == "the file does not contain the targets of references");
}
