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

/// If the reader certainly fails, a limit that was reached does not matter. Otherwise, it leaves the fit
/// undecided.
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

/// The observed behaviour of a reader for files that violate a rule that is not about the reader. Other
/// errors of stage `read` make it fail, others of stage `check` make it misread the file, and other
/// warnings do not matter to it. spec: v8/devtools.md
struct KnownFit {
  std::string_view rule;  ///< the beginning of its id
  std::string_view reader;
  Fit fit;
  std::string_view path = {};  ///< the beginning of the path of the finding
};
constexpr KnownFit known_fits[] = {
    {"heaps2.", "perfetto", Fit::opens},    // it ignores heap dumps,
    {"heaps2.", "speedscope", Fit::opens},  // which has a rule of its own
    {"heaps2.total.missing", "catapult", Fit::misreads},
    {"json.object.duplicate-key", "devtools", Fit::misreads},
    {"json.object.duplicate-key", "memlab", Fit::misreads},
    {"legacy.", "perfetto", Fit::opens},
    {"legacy.", "speedscope", Fit::opens},
    {"v8snap.edges.count", "memlab", Fit::opens, "/snapshot"},  // no row shows that edges were lost
    {"v8snap.edges.map", "devtools", Fit::misreads},
    {"v8snap.edges.map", "memlab", Fit::misreads},
    {"v8snap.edges.order", "devtools", Fit::misreads},
    {"v8snap.edges.order", "memlab", Fit::misreads},
    {"v8snap.edges.to-node-alignment", "devtools", Fit::fails},
    {"v8snap.edges.to-node-alignment", "memlab", Fit::fails},
    {"v8snap.header.count", "memlab", Fit::opens},
    {"v8snap.header.type", "memlab", Fit::opens},
    {"v8snap.nodes.count", "memlab", Fit::opens, "/snapshot"},
    {"v8snap.nodes.none", "devtools", Fit::fails},
    {"v8snap.section.missing", "memlab", Fit::misreads},
    {"v8snap.section.number", "devtools", Fit::misreads},
    {"v8snap.section.number", "memlab", Fit::misreads},
    {"v8snap.section.order", "memlab", Fit::misreads},
    {"v8snap.strings.order", "devtools", Fit::misreads},
    {"v8snap.strings.order", "memlab", Fit::misreads},
    {"v8snap.strings.twice", "devtools", Fit::misreads},
    {"v8snap.strings.twice", "memlab", Fit::misreads},
    {"v8snap.trace-functions.count", "devtools", Fit::opens},
    {"v8snap.trace-functions.count", "memlab", Fit::opens},
    {"v8snap.trace-tree.function", "devtools", Fit::fails},
    {"v8snap.trace-tree.function", "memlab", Fit::opens},
};

Fit fit_of(const Finding& finding, std::string_view reader) {
  const Rule& rule = *finding.rule;
  if (rule.stage == Stage::limit) return Fit::undecided;
  if (finding.severity == Severity::note) return Fit::opens;
  const bool is_error = finding.severity == Severity::error;
  if (is_about(rule, reader)) return is_error ? Fit::fails : Fit::misreads;
  const auto known = std::ranges::find_if(known_fits, [&](const KnownFit& fit) {
    return rule.id.starts_with(fit.rule) && fit.reader == reader &&
           finding.location.path.starts_with(fit.path);
  });
  if (known != std::end(known_fits)) return known->fit;
  if (!is_error) return Fit::opens;
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
