#include "bindings/wasm/reports.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "heapcheck/source.hpp"

namespace heapcheck::wasm {
namespace {

struct NamedForm {
  std::string_view name;
  ReportForm form;
  bool has_lines;  ///< whether it shows the lines of findings
};
constexpr NamedForm forms[] = {{"text", ReportForm::text, false},     {"json", ReportForm::json, false},
                               {"ndjson", ReportForm::ndjson, false}, {"sarif", ReportForm::sarif, true},
                               {"junit", ReportForm::junit, false},   {"github", ReportForm::github, true},
                               {"gitlab", ReportForm::gitlab, true}};

struct Unfinished {
  std::unique_ptr<Reporter> reporter;
  bool has_lines = false;
};

Unfinished& unfinished() {
  static Unfinished report;
  return report;
}

Severity parse_level(std::string_view level) {
  if (level == "note") return Severity::note;
  return level == "warning" ? Severity::warning : Severity::error;
}

Report make_unread(const Request& request) {
  Report report;
  report.error = request.text("error");
  report.is_of_unknown_format = request.text("kind") == "unknown_format";
  if (request.text("kind") == "limit") report.verdict = Verdict::undecided;
  return report;
}

}  // namespace

Response begin_report(const Request& request) {
  const auto* const form = std::ranges::find(forms, request.text("form"), &NamedForm::name);
  if (form == std::end(forms))
    return refuse(ErrorKind::unsupported, "there is no form " + request.text("form"));
  unfinished() = {.reporter = make_reporter({.form = form->form,
                                             .color = request.flag("color"),
                                             .is_brief = request.flag("is_brief"),
                                             .reader = request.text("for"),
                                             .has_statistics = request.flag("has_statistics")}),
                  .has_lines = form->has_lines};
  return unfinished().reporter->begin();
}

Response add_to_report(const Request& request) {
  if (!unfinished().reporter) return refuse(ErrorKind::unsupported, "no report has begun");
  const auto start = std::chrono::steady_clock::now();
  Report report;
  std::vector<std::uint64_t> lines;
  if (const std::uint64_t number = request.count("dump"); number == 0) {
    report = make_unread(request);
  } else {
    const auto dump = find_dump(number);
    if (!dump) return std::unexpected(dump.error());
    report = validate((*dump)->dump, make_validate_options(request));
    if (unfinished().has_lines && !request.flag("is_standard_input"))
      lines = find_lines((*dump)->dump, report);
  }
  const bool is_other = !report.format && report.is_of_unknown_format && request.flag("may_be_other");
  const Severity fail_level = parse_level(request.text("fail_level"));
  const std::string name = request.text("name");
  const std::string reader = request.text("for");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return make_document([&](core::JsonWriter& json) {
    json.member("is_other", is_other);
    json.member("verdict", name_of(report.verdict));
    json.member("has_format", report.format.has_value());
    json.member("fails", report.fails(fail_level));
    if (is_other) return;
    json.member("piece", unfinished().reporter->add({.name = name,
                                                     .report = &report,
                                                     .lines = lines,
                                                     .fail_level = fail_level,
                                                     .reader = reader,
                                                     .seconds = time.count()}));
  });
}

Response end_report(const Request&) {
  if (!unfinished().reporter) return refuse(ErrorKind::unsupported, "no report has begun");
  const auto reporter = std::move(unfinished().reporter);
  return reporter->end();
}

}  // namespace heapcheck::wasm
