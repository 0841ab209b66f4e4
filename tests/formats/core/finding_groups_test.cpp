#include "formats/core/finding_groups.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using core::FindingGroups;

namespace {

constexpr Rule rule{.id = "test.few",
                    .severity = Severity::error,
                    .stage = Stage::check,
                    .title = "",
                    .reason = "",
                    .example = "",
                    .advice = "",
                    .anchor = "",
                    .since = ""};

/// Keeps findings in detail up to a number, and counts the others.
class LimitedSink final : public core::FindingSink {
 public:
  explicit LimitedSink(std::uint64_t most) : most_(most) {}
  void report(Finding finding) override { findings.push_back(std::move(finding)); }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t count) override { more += count; }
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return most_ - findings.size(); }

  std::vector<Finding> findings;
  std::uint64_t more = 0;

 private:
  std::uint64_t most_;
};

/// Adds `count` findings and returns how many were made.
std::uint64_t report(LimitedSink& sink, std::uint64_t count) {
  std::uint64_t made = 0;
  FindingGroups findings(sink, rule);
  for (std::uint64_t i = 0; i < count; ++i) {
    findings.add([&] {
      ++made;
      return Finding{&rule, {}, "message"};
    });
  }
  findings.report();
  return made;
}

}  // namespace

TEST_CASE("a few violations have a finding each, many have one", "[findings]") {
  LimitedSink few(20);
  report(few, 3);
  CHECK(few.findings.size() == 3);
  LimitedSink many(20);
  report(many, 4);
  REQUIRE(many.findings.size() == 1);
  CHECK(many.findings[0].message == "message; found 4 such values");
  CHECK(few.more + many.more == 0);
}

TEST_CASE("findings that are not wanted in detail are only counted", "[findings]") {
  LimitedSink none(0);
  CHECK(report(none, 2) == 0);
  CHECK(none.more == 2);
  CHECK(report(none, 100) == 0);
  CHECK(none.more == 3);
  LimitedSink one(1);
  CHECK(report(one, 3) == 1);
  CHECK(one.findings.size() == 1);
  CHECK(one.more == 2);
}

TEST_CASE("violations close to each other are one group", "[findings]") {
  LimitedSink sink(20);
  FindingGroups findings(sink, rule, {.few = core::Grouping::unlimited, .gap = 2});
  for (const std::uint64_t index : {1U, 3U, 4U, 9U, 20U})
    findings.add(index, [&] { return Finding{&rule, {}, std::to_string(index)}; });
  findings.report();
  REQUIRE(sink.findings.size() == 3);
  CHECK(sink.findings[0].message == "1; found 3 such values");
  CHECK(sink.findings[1].message == "9");
  CHECK(sink.findings[2].message == "20");
}

TEST_CASE("violations of several rules can have one cause", "[findings]") {
  static constexpr Rule other = rule;
  LimitedSink sink(20);
  FindingGroups findings(sink, rule, {.few = 2, .add_count = core::count_wrong("fields")});
  findings.add(other, 0, [&] { return Finding{&other, {}, "first"}; });
  findings.add([&] { return Finding{&rule, {}, "second"}; });
  findings.add(other, 0, [&] { return Finding{&other, {}, "third"}; });
  findings.report();
  REQUIRE(sink.findings.size() == 1);
  CHECK(sink.findings[0].message == "first; 3 fields are wrong");
}
