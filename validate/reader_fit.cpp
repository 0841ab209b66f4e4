#include "validate/reader_fit.hpp"

#include <array>
#include <string>

#include "validate/catalog.hpp"

namespace heapcheck {

std::string_view name_of(Fit fit) {
  constexpr std::array<std::string_view, 5> names{"opens", "misreads", "fails", "undecided", "unread"};
  return names[static_cast<std::size_t>(fit)];
}

namespace validation {
namespace {

/// Whether the rule concerns this reader: either its id names the reader, or the reader has its own record
/// for the rule.
bool is_about(const Rule& rule, std::string_view reader) {
  return rule.id.find("." + std::string(reader) + ".") != std::string_view::npos ||
         find_rule(rule.id) != &rule;
}

/// The finding that determines how well the reader copes: the most severe finding about the reader, or any
/// error.
const Finding* find_deciding(const Report& report, std::string_view reader) {
  const Finding* deciding = nullptr;
  const auto weigh = [reader](const Finding& finding) {
    const int own = is_about(*finding.rule, reader) ? 1 : 0;
    if (finding.severity == Severity::error) return 2 + own;
    return finding.severity == Severity::warning ? own : 0;
  };
  for (const Finding& finding : report.findings) {
    if (weigh(finding) > (deciding == nullptr ? 0 : weigh(*deciding))) deciding = &finding;
  }
  return deciding;
}

}  // namespace

ReaderFit judge_reader(std::string_view reader, const Report& report) {
  if (!report.error.empty()) return {.reader = reader, .fit = Fit::undecided, .reason = report.error};
  const Finding* const finding = find_deciding(report, reader);
  if (finding == nullptr) {
    const bool is_done = report.verdict == Verdict::valid;
    return {.reader = reader,
            .fit = is_done ? Fit::opens : Fit::undecided,
            .reason = is_done ? "" : "a limit was reached"};
  }
  ReaderFit fit{.reader = reader, .fit = Fit::undecided, .rule = finding->rule, .reason = finding->message};
  if (!is_about(*finding->rule, reader)) return fit;
  fit.fit = finding->severity == Severity::error ? Fit::fails : Fit::misreads;
  return fit;
}

}  // namespace validation
}  // namespace heapcheck
