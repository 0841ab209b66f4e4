// Writes a report as workflow commands, one for each finding. GitHub shows them as annotations on the pull
// request.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "formats/core/output/escapes.hpp"
#include "validate/catalog.hpp"
#include "validate/report/reporters.hpp"

namespace heapcheck::validation::report {
namespace {

std::string_view github_command(const Rule& rule, Severity severity) {
  if (rule.stage == Stage::limit) return "warning";
  if (severity == Severity::note) return "notice";
  return name_of(severity);
}

std::string make_command(const Rule& rule, Severity severity, std::string_view path, std::uint64_t line,
                         std::string_view message) {
  const std::string place = line == 0 ? "" : fmt::format(",line={}", line);
  return fmt::format("::{} file={}{},title={}::{}\n", github_command(rule, severity),
                     core::escape_command_property(path), place, core::escape_command_property(rule.id),
                     core::escape_command_data(message));
}

class GithubReporter final : public Reporter {
 public:
  std::string begin() override { return {}; }
  std::string add(const NamedReport& file) override {
    const Report& report = *file.report;
    const std::string_view path = core::without_dot(file.name);
    if (!report.format) {
      const Rule& rule = rule_of_unread(report);
      return make_command(rule, rule.severity, path, 0, report.error);
    }
    std::string out;
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const Finding& finding = report.findings[i];
      const std::string at = finding.location.path.empty() ? "" : ", at " + finding.location.path;
      out += make_command(*finding.rule, finding.severity, path, i < file.lines.size() ? file.lines[i] : 0,
                          fmt::format("{:#x}: {}{}", finding.location.file.offset, finding.message, at));
    }
    for (const More& more : report.more)
      out += make_command(*more.rule, more.severity, path, 0,
                          fmt::format("{} more of the same kind", more.count));
    return out;
  }
  std::string end() override { return {}; }
};

}  // namespace

std::unique_ptr<Reporter> make_github_reporter() { return std::make_unique<GithubReporter>(); }

}  // namespace heapcheck::validation::report
