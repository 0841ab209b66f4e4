#include "validate/reader_fit.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "validate/catalog.hpp"

namespace heapcheck {

std::string_view name_of(Fit fit) {
  constexpr std::array<std::string_view, 5> names{"opens", "misreads", "fails", "undecided", "unread"};
  return names[static_cast<std::size_t>(fit)];
}

namespace validation {
namespace {

/// A file that certainly fails fails, even if a limit was reached. If not, a limit leaves the fit undecided.
constexpr int rank(Fit fit) {
  switch (fit) {
    case Fit::fails:
      return 3;
    case Fit::undecided:
      return 2;
    default:
      return fit == Fit::misreads ? 1 : 0;
  }
}

/// Whether the rule is about this reader: either its id names the reader, or the reader has its own record
/// for it.
bool is_about(const Rule& rule, std::string_view reader) {
  return rule.id.find("." + std::string(reader) + ".") != std::string_view::npos ||
         find_rule(rule.id) != &rule;
}

/// What a reader does with a file that violates a rule that is not about the reader, as measured. Other
/// errors of stage `read` make it fail, and others of stage `check` make it misread the file. spec:
/// v8/devtools.md
struct KnownFit {
  std::string_view rule;
  std::string_view reader;
  Fit fit;
};
constexpr KnownFit known_fits[] = {
    {"json.object.duplicate-key", "devtools", Fit::misreads},
    {"json.object.duplicate-key", "memlab", Fit::misreads},
    {"v8snap.edges.count", "memlab", Fit::opens},
    {"v8snap.edges.to-node-alignment", "devtools", Fit::fails},
    {"v8snap.edges.to-node-alignment", "memlab", Fit::fails},
    {"v8snap.header.count", "memlab", Fit::opens},
    {"v8snap.header.type", "memlab", Fit::opens},
    {"v8snap.nodes.count", "memlab", Fit::opens},
    {"v8snap.nodes.none", "devtools", Fit::fails},
    {"v8snap.section.missing", "memlab", Fit::misreads},
    {"v8snap.section.number", "devtools", Fit::misreads},
    {"v8snap.section.number", "memlab", Fit::misreads},
    {"v8snap.section.order", "memlab", Fit::misreads},
    {"v8snap.trace-functions.count", "devtools", Fit::opens},
    {"v8snap.trace-functions.count", "memlab", Fit::opens},
    {"v8snap.trace-tree.function", "devtools", Fit::fails},
    {"v8snap.trace-tree.function", "memlab", Fit::opens},
};

Fit fit_of(const Finding& finding, std::string_view reader) {
  const Rule& rule = *finding.rule;
  if (rule.stage == Stage::limit) return Fit::undecided;
  const bool is_own = is_about(rule, reader);
  if (finding.severity == Severity::note || (finding.severity == Severity::warning && !is_own))
    return Fit::opens;
  if (is_own) return finding.severity == Severity::error ? Fit::fails : Fit::misreads;
  const auto known = std::ranges::find_if(
      known_fits, [&](const KnownFit& fit) { return fit.rule == rule.id && fit.reader == reader; });
  if (known != std::end(known_fits)) return known->fit;
  return rule.stage == Stage::read ? Fit::fails : Fit::misreads;
}

}  // namespace

ReaderFit judge_reader(std::string_view reader, const Report& report) {
  if (!report.error.empty()) return {.reader = reader, .fit = Fit::undecided, .reason = report.error};
  ReaderFit worst{.reader = reader, .fit = Fit::opens};
  bool is_own = false;  // of several equally bad findings, the first one about the reader decides
  for (const Finding& finding : report.findings) {
    const Fit fit = fit_of(finding, reader);
    const bool is_more_own =
        fit == worst.fit && fit != Fit::opens && !is_own && is_about(*finding.rule, reader);
    if (rank(fit) <= rank(worst.fit) && !is_more_own) continue;
    worst = {.reader = reader, .fit = fit, .rule = finding.rule, .reason = finding.message};
    is_own = is_about(*finding.rule, reader);
  }
  return worst;
}

}  // namespace validation
}  // namespace heapcheck
