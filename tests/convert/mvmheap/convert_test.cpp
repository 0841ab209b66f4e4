#include "convert/mvmheap/convert.hpp"

#include "tests/support/dumps.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

const std::vector<std::string> seeds{"v2/seed/moar-2017.10-quirky-names.mvmheap",
                                     "v2/seed/moar-2017.10-small.mvmheap",
                                     "v2/seed/moar-2018.03-quirky-names.mvmheap",
                                     "v2/seed/moar-2018.03-small.mvmheap",
                                     "v1/seed/moar-2016.04-small.txt",
                                     "v1/seed/moar-2016.04-quirky-names.txt",
                                     "v1/seed/moar-2016.04-zero-snapshots.txt",
                                     "v1/seed/moar-2017.08-small.txt",
                                     "v3/seed/two-snapshots.mvmheap",
                                     "v3/seed/moar-2022.12-nqp.mvmheap"};

}  // namespace

TEST_CASE("every target keeps tables and graphs, and the result is valid", "[convert]") {
  for (const std::string& seed : seeds) {
    const Bytes bytes = read_seed(seed);
    const Model model = read_model(bytes);
    for (const Target target : targets_of(Family::mvmheap)) {
      CAPTURE(seed, name_of(target));
      const Bytes converted = convert(bytes, target);
      CHECK(read_model(converted) == model);
      const auto report = check(converted);
      CHECK(report.verdict == Verdict::valid);
      CHECK(report.count(Severity::warning) == 0);
      CHECK(convert(bytes, target) == converted);
    }
  }
}

TEST_CASE("a target keeps everything that its capacity includes", "[convert]") {
  for (const std::string& seed : seeds) {
    const conversion::mvmheap::Survey before = survey(read_seed(seed));
    for (const Target target : targets_of(Family::mvmheap)) {
      CAPTURE(seed, name_of(target));
      const mvmheap::Capacity capacity = conversion::mvmheap::layout_of(target).capacity;
      const conversion::mvmheap::Survey after = survey(convert(read_seed(seed), target));
      CHECK(after.snapshots == before.snapshots);
      if (capacity.holds_table_growth && conversion::mvmheap::find_losses(before, capacity).empty())
        CHECK(after.seen == before.seen);
      CHECK(after.metas == (capacity.holds_metas ? before.snapshots : 0));
      CHECK(after.highscores == after.metas);
    }
  }
}

TEST_CASE("a version 3 dump written as version 3 keeps its metadata", "[convert]") {
  const Bytes bytes = read_seed("v3/seed/two-snapshots.mvmheap");
  CHECK(survey(convert(bytes, Target{Format::mvmheap_v3})).file_meta == survey(bytes).file_meta);
  const Bytes sample = read_seed("v3/seed/moar-2022.12-nqp.mvmheap");
  CHECK(convert(sample, Target{Format::mvmheap_v3}) == sample);
}

TEST_CASE("losses are counted by kind", "[convert]") {
  const conversion::mvmheap::Survey seen = survey(read_seed("v3/seed/two-snapshots.mvmheap"));
  const mvmheap::Capacity nothing{.holds_name = [](std::string_view name) { return !name.empty(); }};
  const auto losses = conversion::mvmheap::find_losses(seen, nothing);
  REQUIRE(losses.size() >= 3);
  CHECK(losses[0].what == "file metadata");
  CHECK(losses[1].what == "snapshot metadata");
  CHECK(losses[1].count == 2);
  CHECK(losses[2].what == "highscores");
}
