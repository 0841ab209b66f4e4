// Compares the report in each form with an approved report in approved/. HEAPCHECK_REWRITE=1 rewrites the
// approved reports.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "formats/core/faults.hpp"
#include "heapcheck/validate.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;

namespace {

namespace rules = core::rules;

/// Text with a special meaning in terminals, CI systems, XML or JSON.
const std::string hostile =
    "a\x1b[31m\n::error::x]]>&<b>\"'\\ 100%,c:d\xE2\x80\xAE\xFF\xEF\xBF\xBF ##[error]";

struct Input {
  std::string name;
  Report report;
  std::vector<std::uint64_t> lines = {};
};

Report make_checked(Verdict verdict, std::vector<Finding> findings) {
  Report report;
  report.format = Format::mvmheap_v1;
  report.verdict = verdict;
  report.byte_count = 1000;
  report.findings = std::move(findings);
  return report;
}

Report make_unread(Verdict verdict, bool is_of_unknown_format, std::string error) {
  Report report;
  report.verdict = verdict;
  report.is_of_unknown_format = is_of_unknown_format;
  report.error = std::move(error);
  return report;
}

Finding make_finding(const Rule& rule, std::string message, std::string path) {
  return {&rule, {{291, 2}, Span{7, 1}, std::move(path)}, std::move(message)};
}

Input one_finding() {
  Finding finding = make_finding(rules::zstd_frame_corrupt, "checksum is 1, expected 2", "/snapshots/3");
  finding.related.push_back({{{5, 1}, std::nullopt, "/toc"}, "the entry"});
  return {"one.mvmheap", make_checked(Verdict::not_well_formed, {finding}), {12}};
}

Input undecided() {
  return {"undecided",
          make_checked(Verdict::undecided, {make_finding(rules::limit_memory, "needs more", "")})};
}

std::vector<Input> many_files() {
  Input counted = one_finding();
  counted.name = "folder/two words.mvmheap";
  counted.report.findings.push_back(counted.report.findings[0]);
  counted.report.findings.push_back(
      make_finding(rules::input_trailing_bytes, "found 10 bytes, expected none", ""));
  counted.report.more = {{&rules::zstd_frame_corrupt, 70}};
  counted.report.skipped = {{"/snapshots/3", "its columns are damaged"}};
  return {{"valid", make_checked(Verdict::valid, {})}, counted, one_finding(), undecided()};
}

std::vector<std::pair<std::string, std::vector<Input>>> make_inputs() {
  const Input nameless{
      hostile,
      make_checked(Verdict::not_valid, {make_finding(rules::zstd_frame_magic, hostile, "/" + hostile)})};
  return {{"nothing", {}},
          {"one finding", {one_finding()}},
          {"many files", many_files()},
          {"hostile names", {nameless, {"::x", make_unread(Verdict::unreadable, false, hostile)}}},
          {"undecided", {undecided(), {"-", make_unread(Verdict::undecided, false, "out of time")}}},
          {"unreadable",
           {{"/a", make_unread(Verdict::unreadable, false, "cannot be opened")},
            {"b", make_unread(Verdict::unreadable, true, "is not in a known format")}}}};
}

std::string make_report(const ReportOptions& options, const std::vector<Input>& inputs) {
  const auto reporter = make_reporter(options);
  std::string text = reporter->begin();
  if (const auto results = text.find("\"results\": ["); results != std::string::npos)
    text.replace(0, results, "...");  // the catalogue of rules
  for (const Input& input : inputs) text += reporter->add({input.name, &input.report, input.lines});
  text += reporter->end();
  return std::regex_replace(text, std::regex("\"ruleIndex\": [0-9]+"),
                            "\"ruleIndex\": ...");  // in the catalogue
}

/// All reports of a form, each after a line with the name of its input.
std::string make_all(const ReportOptions& options) {
  std::string all;
  for (const auto& [name, inputs] : make_inputs())
    all += fmt::format("=== {}\n{}", name, make_report(options, inputs));
  return all;
}

}  // namespace

TEST_CASE("the report of each form is the approved one", "[report]") {
  const auto [name, options] = GENERATE(table<std::string, ReportOptions>({
      {"text", {.form = ReportForm::text}},
      {"brief", {.form = ReportForm::text, .is_brief = true}},
      {"json", {.form = ReportForm::json}},
      {"ndjson", {.form = ReportForm::ndjson}},
      {"sarif", {.form = ReportForm::sarif}},
      {"junit", {.form = ReportForm::junit}},
      {"github", {.form = ReportForm::github}},
      {"gitlab", {.form = ReportForm::gitlab}},
  }));
  const tests::fs::path path = tests::root / "tests/validate/report/approved" / (name + ".txt");
  const std::string report = make_all(options);
  if (std::getenv("HEAPCHECK_REWRITE") != nullptr) std::ofstream(path, std::ios::binary) << report;
  INFO(path << "; HEAPCHECK_REWRITE=1 rewrites it");
  const bool is_approved = report == tests::read(path);
  CHECK(is_approved);
  CHECK(report.find('\x1b') == std::string::npos);
  CHECK(report.find("\n::error::x") == std::string::npos);
  if (options.form == ReportForm::junit) CHECK(report.find("]]>") == std::string::npos);
  CHECK(report.find("\xE2\x80\xAE") == std::string::npos);
}
