// Writes a GitLab code quality report: a JSON array with an object for each finding.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/core/output/escapes.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"
#include "validate/catalog.hpp"
#include "validate/fingerprint.hpp"
#include "validate/report/reporters.hpp"

namespace heapcheck::validation::report {
namespace {

using core::JsonWriter;

/// GitLab's name for a severity.
std::string_view gitlab_severity(const Rule& rule, Severity severity) {
  if (rule.stage == Stage::limit || severity == Severity::warning) return "minor";
  return severity == Severity::error ? "critical" : "info";
}

struct Issue {
  const Rule& rule;
  Severity severity;
  std::string_view path;
  std::string_view description;
  std::string_view fingerprint;  // unique in the file
  std::uint64_t line = 1;        // required even for a binary file
};

void write_issue(JsonWriter& json, const Issue& issue) {
  json.begin_object();
  json.member("description", issue.description);
  json.member("check_name", issue.rule.id);
  // The path is escaped, because names may differ only in bytes that are not UTF-8.
  json.member("fingerprint", fmt::format("{}: {}", core::shorten(issue.path, SIZE_MAX), issue.fingerprint));
  json.member("severity", gitlab_severity(issue.rule, issue.severity));
  json.begin_object("location");
  json.member("path", issue.path);
  json.begin_object("lines");
  json.member("begin", issue.line);
  json.end_object();
  json.end_object();
  json.end_object();
}

class GitlabReporter final : public Reporter {
 public:
  GitlabReporter() : json_(out_, core::JsonLayout::pretty) {}

  std::string begin() override {
    json_.begin_array();
    return std::exchange(out_, {});
  }
  std::string add(const NamedReport& file) override {
    const Report& report = *file.report;
    const std::string_view path = core::without_dot(file.name);
    if (!report.format) {
      const Rule& rule = rule_of_unread(report);
      write_issue(json_, {.rule = rule,
                          .severity = rule.severity,
                          .path = path,
                          .description = report.error,
                          .fingerprint = rule.id});
    }
    const std::vector<std::string> fingerprints = make_fingerprints(report);
    for (std::size_t i = 0; i < fingerprints.size(); ++i) {
      const Finding& finding = report.findings[i];
      const std::string place = fmt::format("{:#x}{}{}", finding.location.file.offset,
                                            finding.location.path.empty() ? "" : ", ", finding.location.path);
      write_issue(json_, {.rule = *finding.rule,
                          .severity = finding.severity,
                          .path = path,
                          .description = fmt::format("{} (at {})", finding.message, place),
                          .fingerprint = fingerprints[i],
                          .line = i < file.lines.size() ? file.lines[i] : 1});
    }
    for (const More& more : report.more) {
      const std::string description = fmt::format("{} more of the same kind", more.count);
      const std::string fingerprint = fmt::format("{} more", more.rule->id);
      write_issue(json_, {.rule = *more.rule,
                          .severity = more.severity,
                          .path = path,
                          .description = description,
                          .fingerprint = fingerprint});
    }
    return std::exchange(out_, {});
  }
  std::string end() override {
    json_.end_array();
    return std::exchange(out_, {}) + '\n';
  }

 private:
  std::string out_;
  JsonWriter json_;
};

}  // namespace

std::unique_ptr<Reporter> make_gitlab_reporter() { return std::make_unique<GitlabReporter>(); }

}  // namespace heapcheck::validation::report
