// Writes a report as JUnit XML, with one test case for each file, which fails if the file does. The number of
// test cases is omitted because it would have to come first; programs that read JUnit XML count the test
// cases themselves.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "formats/core/output/escapes.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/report/reporters.hpp"

namespace heapcheck::validation::report {
namespace {

class JunitReporter final : public Reporter {
 public:
  JunitReporter() : text_(make_text_reporter({})) {}

  std::string begin() override {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<testsuites>\n<testsuite name=\"heapcheck\">\n";
  }
  std::string add(const NamedReport& file) override {
    const Report& report = *file.report;
    const std::string name = core::escape_xml(core::shorten(core::make_safe_path(file.name), SIZE_MAX));
    const std::string start = fmt::format("<testcase classname=\"heapcheck\" name=\"{}\"", name);
    const std::string lines = core::escape_xml(text_->add(file));
    if (!report.fails(file.fail_level))
      return fmt::format("{}><system-out>{}</system-out></testcase>\n", start, lines);
    const bool is_error = report.verdict == Verdict::undecided || !report.format;
    const std::string_view element = is_error ? "error" : "failure";
    return fmt::format("{0}><{1} type=\"{2}\" message=\"{3}\">{4}</{1}></testcase>\n", start, element,
                       name_of(report.verdict), core::escape_xml(describe(report, file.fail_level)), lines);
  }
  std::string end() override { return "</testsuite>\n</testsuites>\n"; }

 private:
  /// Describes the first finding that makes the file fail.
  static std::string describe(const Report& report, Severity fail_level) {
    if (!report.format) return core::shorten(report.error, SIZE_MAX);
    const bool is_undecided = report.verdict == Verdict::undecided;
    for (const Finding& finding : report.findings) {
      const bool is_limit = finding.rule->stage == Stage::limit;
      if (is_undecided ? is_limit : finding.severity >= fail_level)
        return fmt::format("{} [{}]", core::shorten(finding.message, SIZE_MAX), finding.rule->id);
    }
    return std::string(name_of(report.verdict));
  }

  std::unique_ptr<Reporter> text_;
};

}  // namespace

std::unique_ptr<Reporter> make_junit_reporter() { return std::make_unique<JunitReporter>(); }

}  // namespace heapcheck::validation::report
