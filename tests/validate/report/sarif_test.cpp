// Tests numbers in SARIF that programs cannot read if they store numbers as doubles.
#include <string>

#include "formats/core/faults.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

/// A report on a file with one finding that ends at `end`, and with `more` findings that were only counted.
std::string make_sarif(std::uint64_t end, std::uint64_t more) {
  Report report;
  report.format = Format::mvmheap_v3;
  report.verdict = Verdict::not_well_formed;
  report.findings = {{&core::rules::zstd_frame_corrupt, {{end - 1, 1}, Span{end - 1, 1}, "/toc"}, "found 1"}};
  report.more = {{&core::rules::zstd_frame_corrupt, more}};
  const auto reporter = make_reporter({.form = ReportForm::sarif});
  (void)reporter->begin();
  return reporter->add({"dump", &report});
}

}  // namespace

TEST_CASE("SARIF has no numbers of 2^53 or more", "[report]") {
  constexpr std::uint64_t first_inexact = std::uint64_t{1} << 53;
  const std::string exact = make_sarif(first_inexact - 1, first_inexact - 1);
  CHECK(exact.contains("\"byteOffset\": 9007199254740990,"));
  CHECK(exact.contains("\"contentOffset\": 9007199254740990,"));
  CHECK(exact.contains("\"occurrenceCount\": 9007199254740991"));
  const std::string inexact = make_sarif(first_inexact, first_inexact);
  CHECK(!inexact.contains("\"region\""));
  CHECK(!inexact.contains("\"occurrenceCount\""));
  CHECK(inexact.contains("\"fullyQualifiedName\": \"/toc\""));
}
