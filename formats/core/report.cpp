#include "heapcheck/types/report.hpp"

namespace heapcheck {
namespace {

/// Calls `use` with a rule, the severity of its findings and their number. The number is 1 for each finding
/// that is described individually; findings that were only counted are passed together.
template <class Use>
void for_each_rule(const Report& report, Use&& use) {
  for (const Finding& finding : report.findings) use(*finding.rule, finding.severity, 1);
  for (const More& more : report.more) use(*more.rule, more.severity, more.count);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::valid:
      return "valid";
    case Verdict::not_valid:
      return "not valid";
    case Verdict::not_well_formed:
      return "not well-formed";
    case Verdict::undecided:
      return "undecided";
    case Verdict::unreadable:
      return "unreadable";
  }
  return "";
}

std::uint64_t Report::count(Severity severity) const {
  std::uint64_t total = 0;
  for_each_rule(*this, [&](const Rule& rule, Severity found, std::uint64_t cases) {
    if (found == severity && rule.stage != Stage::limit) total += cases;
  });
  return total;
}

bool Report::fails(Severity fail_level) const {
  if (verdict == Verdict::undecided || verdict == Verdict::unreadable) return true;
  bool fails = false;
  for_each_rule(*this, [&](const Rule& rule, Severity severity, std::uint64_t) {
    fails = fails || (rule.stage != Stage::limit && severity >= fail_level);
  });
  return fails;
}

std::uint64_t Report::count_limits() const {
  std::uint64_t total = 0;
  for_each_rule(*this, [&](const Rule& rule, Severity, std::uint64_t cases) {
    if (rule.stage == Stage::limit) total += cases;
  });
  return total;
}

}  // namespace heapcheck
