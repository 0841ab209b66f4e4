#include "formats/core/few_findings.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;
using core::FewFindings;

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
  FewFindings findings(sink, rule);
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
