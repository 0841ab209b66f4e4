#include "heapcheck/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "api/guard.hpp"
#include "api/state.hpp"
#include "api/version.hpp"
#include "formats/core/source.hpp"
#include "heapcheck/source.hpp"
#include "validate/catalog.hpp"
#include "validate/fingerprint.hpp"
#include "validate/lines.hpp"
#include "validate/reader_fit.hpp"
#include "validate/report/reporters.hpp"
#include "validate/selection.hpp"
#include "validate/validate.hpp"

namespace heapcheck {
namespace {

Result<validation::Options> make_options(const ValidateOptions& options, const Limits& limits) {
  validation::Options made;
  made.limits = limits;
  made.max_per_rule = options.max_per_rule;
  auto selection =
      validation::Selection::make(options.select, options.ignore, options.severity, options.hide);
  if (!selection) return std::unexpected(std::move(selection.error()));
  made.selection = std::move(*selection);
  if (options.reader.empty()) return made;
  const auto which = validation::find_reader(options.reader);
  if (!which)
    return std::unexpected(Error{ErrorKind::unsupported, "there is no reader called " + options.reader});
  made.reader.which = *which;
  return made;
}

Report make_unread(Error why) {
  Report report;
  if (is_limit(why.kind)) report.verdict = Verdict::undecided;
  report.error = std::move(why.message);
  return report;
}

/// The report that `check` returns or, if it does not return one, a report that states why.
template <class Check>
Report guard_report(Check&& check) {
  Result<Report> report = api::guard(std::forward<Check>(check));
  return report ? std::move(*report) : make_unread(std::move(report.error()));
}

/// Checks the dump and keeps its content in `state`.
Result<Report> check_and_keep(Dump::State& state, const ValidateOptions& options) {
  auto made = make_options(options, state.options.limits);
  if (!made) return std::unexpected(std::move(made.error()));
  made->max_kept = std::min(state.options.limits.max_kept, state.options.limits.max_memory / 4);
  // The old content is dropped first, so that it is not in memory together with the new content.
  state.content = std::make_shared<formats::Content>();
  auto checked = validation::check(read_again(state), *made);
  if (checked.report.format) state.format = *checked.report.format;
  state.content = std::make_shared<formats::Content>(std::move(checked.content));
  return std::move(checked.report);
}

}  // namespace

Report validate(const std::string& path, const ValidateOptions& options) {
  return guard_report([&]() -> Result<Report> {
    const auto made = make_options(options, options.read.limits);
    if (!made) return std::unexpected(made.error());
    auto source = open_once(path, options.read);
    if (!source) return std::unexpected(std::move(source.error()));
    return validation::check_source(std::move(*source), *made);
  });
}

Report validate(const Dump& dump, const ValidateOptions& options) {
  Report report = guard_report([&] { return check_and_keep(dump.state(), options); });
  const bool is_usual = options.reader.empty() && options.select.empty() && options.ignore.empty() &&
                        options.severity.empty() && !options.hide;
  if (is_usual) dump.state().report = report;
  return report;
}

std::vector<std::string_view> reader_names() { return validation::reader_names(); }
bool reads_format(std::string_view reader, Format format) {
  const auto which = validation::find_reader(reader);
  return which && validation::reads(*which, format);
}

std::vector<std::string_view> readers_of(Format format) {
  std::vector<std::string_view> names;
  for (const std::string_view name : reader_names()) {
    const auto which = validation::find_reader(name);
    if (validation::reads(*which, format) && !validation::find_format_fault(*which, format))
      names.push_back(name);
  }
  return names;
}

const Rule* find_rule_for(std::string_view reader, const Rule& rule) {
  const auto which = validation::find_reader(reader);
  const auto raised = which ? validation::raised_for(*which) : std::span<const validation::RaisedRule>();
  const auto found = std::ranges::find(raised, &rule, &validation::RaisedRule::from);
  return found == raised.end() ? nullptr : found->to;
}

std::vector<ReaderFit> check_readers(const Dump& dump) {
  std::vector<ReaderFit> fits;
  for (const std::string_view reader : reader_names()) {
    if (!reads_format(reader, dump.format())) {
      fits.push_back({.reader = reader, .fit = Fit::unread, .reason = "does not read this format"});
    } else {
      fits.push_back(validation::judge_reader(reader, validate(dump, {.reader = std::string(reader)})));
    }
  }
  return fits;
}

bool affects_answers(const Finding& finding) { return validation::affects_answers(finding); }

std::optional<Error> find_obstacle(const Report& report) {
  const auto find = [&report](auto&& fits) {
    const auto found = std::ranges::find_if(report.findings, fits);
    return found == report.findings.end() ? nullptr : &*found;
  };
  if (report.count_limits() != 0 || report.verdict == Verdict::undecided) {
    if (const Finding* const limit =
            find([](const Finding& finding) { return finding.rule->stage == Stage::limit; }))
      return Error{ErrorKind::limit, fmt::format("undecided: a limit was reached at {:#x}: {}",
                                                 limit->location.file.offset, limit->message)};
    return Error{
        ErrorKind::limit,
        "undecided: " + (report.error.empty() ? "a limit was reached, so there is no answer" : report.error)};
  }
  if (!report.error.empty()) return Error{ErrorKind::unreadable, report.error};
  const Finding* const error = find([](const Finding& finding) {
    return finding.rule->severity == Severity::error && affects_answers(finding);
  });
  if (error == nullptr) return std::nullopt;
  return Error{ErrorKind::damaged,
               fmt::format("is damaged at {:#x}: {}", error->location.file.offset, error->message)};
}

std::span<const Rule* const> all_rules() { return validation::all_rules(); }
const Rule* find_rule(std::string_view id) { return validation::find_rule(id); }
std::vector<const Rule*> find_rules(std::string_view pattern) { return validation::find_rules(pattern); }
std::string suggest_rule(std::string_view typed) { return validation::suggest_rule(typed); }
std::string_view version() { return api::version; }

std::vector<std::uint64_t> find_lines(const std::string& path, const Report& report,
                                      const ReadOptions& options) {
  auto lines = api::guard([&]() -> Result<std::vector<std::uint64_t>> {
    auto source = open_once(path, options);
    if (!source) return std::unexpected(std::move(source.error()));
    return validation::find_lines(std::move(*source), report, options.limits);
  });
  return lines ? std::move(*lines) : std::vector<std::uint64_t>();
}

std::vector<std::uint64_t> find_lines(const Dump& dump, const Report& report) {
  auto lines = api::guard([&]() -> Result<std::vector<std::uint64_t>> {
    return validation::find_lines(read_again(dump.state()), report, dump.state().options.limits);
  });
  return lines ? std::move(*lines) : std::vector<std::uint64_t>();
}

std::vector<std::string> make_fingerprints(const Report& report) {
  return validation::make_fingerprints(report);
}
std::string make_fingerprint_of_unchecked(const Report& report) {
  return validation::make_fingerprint_of_unchecked(report);
}

std::unique_ptr<Reporter> make_reporter(const ReportOptions& options) {
  namespace report = validation::report;
  switch (options.form) {
    case ReportForm::text:
      return report::make_text_reporter(options);
    case ReportForm::json:
      return report::make_json_reporter(version(), options);
    case ReportForm::ndjson:
      return report::make_ndjson_reporter();
    case ReportForm::sarif:
      return report::make_sarif_reporter(version());
    case ReportForm::junit:
      return report::make_junit_reporter();
    case ReportForm::github:
      return report::make_github_reporter();
    case ReportForm::gitlab:
      return report::make_gitlab_reporter();
  }
  return nullptr;
}

std::string make_text(const NamedReport& report, bool color) {
  return make_reporter({.form = ReportForm::text, .color = color})->add(report);
}

std::string make_json(std::span<const NamedReport> reports, std::string_view reader) {
  const auto reporter = make_reporter({.form = ReportForm::json, .reader = std::string(reader)});
  std::string text = reporter->begin();
  for (const NamedReport& report : reports) text += reporter->add(report);
  return text + reporter->end();
}

}  // namespace heapcheck
