// Dumps of all layouts, written in text mode, get one finding and are recovered without loss.
#include "tests/support/text_mode.hpp"

#include "formats/mvmheap/faults.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "recover/recover.hpp"
#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

struct Outcome {
  Report report;
  Recovery recovery;
  Bytes bytes;
};

/// Checks and recovers a dump as the program does.
Outcome recover_checked(const Bytes& bytes, const recovery::Request& request = {}) {
  core::MemorySource source(bytes);
  const Limits limits;
  auto checked = validation::check(std::make_unique<core::RangeSource>(source, 0), {});
  core::MemorySink out;
  auto done = recovery::recover(
      {.source = source, .content = checked.content, .report = checked.report, .limits = limits}, request,
      out);
  REQUIRE(done);
  return {std::move(checked.report), std::move(*done), out.bytes()};
}

void require_one_finding(const Report& report, const Rule& rule) {
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.more.empty());
  REQUIRE(report.findings[0].rule == &rule);
}

/// Version 3 dumps with the content of real dumps of other versions.
Bytes read_as_v3(const std::string& seed) { return convert(read_seed(seed), {.format = Format::mvmheap_v3}); }

const std::vector<std::string> seeds_v2{
    "v2/seed/layout-a.mvmheap",           "v2/seed/layout-b.mvmheap",
    "v2/seed/layout-c.mvmheap",           "v2/seed/moar-2017.10-quirky-names.mvmheap",
    "v2/seed/moar-2017.10-small.mvmheap", "v2/seed/moar-2018.03-quirky-names.mvmheap",
    "v2/seed/moar-2018.03-small.mvmheap",
};

std::vector<Bytes> read_dumps_v3() {
  std::vector<Bytes> dumps{read_seed("v3/seed/moar-2022.12-nqp.mvmheap")};
  for (const std::string seed :
       {"v1/seed/moar-2016.04-small.txt", "v1/seed/moar-2017.08-small.txt",
        "v2/seed/moar-2017.10-small.mvmheap", "v2/seed/moar-2018.03-quirky-names.mvmheap"})
    dumps.push_back(read_as_v3(seed));
  return dumps;
}

}  // namespace

TEST_CASE("version 1 dumps that were written in text mode are restored byte for byte", "[recover]") {
  for (const std::string seed : {"v1/seed/moar-2016.04-quirky-names.txt", "v1/seed/moar-2016.04-small.txt",
                                 "v1/seed/moar-2017.08-small.txt", "v1/seed/two-snapshots.txt"}) {
    CAPTURE(seed);
    const Bytes original = read_seed(seed);
    const Outcome outcome = recover_checked(to_text_mode(original));
    require_one_finding(outcome.report, mvmheap::v1::rules::line_carriage_return);
    CHECK(outcome.report.findings[0].message.find("text mode on Windows") != std::string::npos);
    CHECK(outcome.bytes == original);
    CHECK(!outcome.recovery.has_lost);
  }
}

TEST_CASE("version 2 dumps that were written in text mode are restored byte for byte", "[recover]") {
  for (const std::string& seed : seeds_v2) {
    CAPTURE(seed);
    const Bytes original = read_seed(seed);
    const Bytes file = to_text_mode(original);
    REQUIRE(file != original);
    const Outcome outcome = recover_checked(file);
    require_one_finding(outcome.report, mvmheap::rules::file_text_mode);
    CHECK(outcome.report.verdict == Verdict::not_well_formed);
    CHECK(outcome.report.byte_count == file.size());
    CHECK(file[outcome.report.findings[0].location.file.offset] == '\r');
    CHECK(outcome.bytes == original);
    CHECK(outcome.recovery.has_only_wrong_counts);
    CHECK(outcome.recovery.dropped.empty());
  }
}

TEST_CASE("version 3 dumps that were written in text mode keep their content", "[recover]") {
  for (const Bytes& original : read_dumps_v3()) {
    for (const Bytes& file : {to_text_mode(original), to_counted_text_mode(original)}) {
      const Outcome outcome = recover_checked(file);
      require_one_finding(outcome.report, mvmheap::rules::file_text_mode);
      CHECK(outcome.recovery.has_only_wrong_counts);
      CHECK(outcome.recovery.dropped.empty());
      CHECK(read_model(outcome.bytes) == read_model(original));
      CHECK(survey(outcome.bytes).file_meta == survey(original).file_meta);
      CHECK(check(outcome.bytes).verdict == Verdict::valid);
    }
  }
}

TEST_CASE("text mode is recognised despite a damaged byte", "[recover]") {
  const Bytes original = read_seed("v2/seed/moar-2018.03-small.mvmheap");
  Bytes file = to_text_mode(original);
  // The kind of collectable 5 is 10. It becomes 11, so a carriage return is left.
  const auto first = std::ranges::find(file, '\n') - file.begin();
  file[static_cast<std::size_t>(first)] = 11;
  const Report report = check(file);
  REQUIRE(report.findings.size() > 1);
  const auto found = std::ranges::find(report.findings, &mvmheap::rules::file_text_mode, &Finding::rule);
  REQUIRE(found != report.findings.end());
}

TEST_CASE("findings about a dump that was written in text mode are at their offsets in the file",
          "[validate]") {
  Bytes original = read_seed("v2/seed/moar-2018.03-small.mvmheap");
  const std::size_t end = original.size() - 8;  // the number of snapshots
  original[end] = 7;
  const Bytes file = to_text_mode(original);
  const Report report = check(file);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[1].rule->id == "mvm2.trailer.snapshots");
  CHECK(report.findings[1].location.file == Span{file.size() - 8, 8});
}

TEST_CASE("text mode is undone when a dump is recovered as another version", "[recover]") {
  const Bytes original = read_seed("v2/seed/moar-2017.10-small.mvmheap");
  const Outcome outcome =
      recover_checked(to_text_mode(original), {.target = Target{.format = Format::mvmheap_v3}});
  CHECK(read_model(outcome.bytes) == read_model(original));
}

TEST_CASE("offsets beyond 2 GiB that ftell could not state are not reported", "[validate]") {
  const Bytes original = read_seed("v3/seed/moar-2022.12-nqp.mvmheap");
  Bytes file = to_text_mode(original);
  std::ranges::fill(std::span(file).last(8), 0xFF);
  require_one_finding(check(file), mvmheap::rules::file_text_mode);
}
