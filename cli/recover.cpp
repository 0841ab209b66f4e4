// heapcheck recover: what is whole in a damaged dump, as a sound dump.
#include "cli/recover.hpp"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/core/spool.hpp"
#include "formats/detect.hpp"
#include "formats/open.hpp"
#include "validate/validate.hpp"

namespace heapcheck::cli {
namespace {

Result<RecoverOutcome> recover(Format format, core::SeekableSource& source, const RecoverSettings& settings,
                               core::ByteSink& out) {
  switch (format) {
    case Format::mvmheap_v1:
    case Format::mvmheap_v2:
    case Format::mvmheap_v3:
      return recover_mvmheap(source, settings, out);
    case Format::v8_heapprofile:
      return recover_heapprofile(source, settings, out);
    case Format::v8_heapsnapshot:
      return recover_heapsnapshot(source, settings, out);
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      break;
  }
  return std::unexpected(
      Error{ErrorKind::unreadable, fmt::format("is a {}, which cannot be recovered", title_of(format))});
}

/// Why what the user asks for cannot be done with a file of that format; empty where it can.
std::string find_misuse(Format format, const RecoverSettings& settings) {
  switch (format) {
    case Format::mvmheap_v1:
    case Format::mvmheap_v2:
    case Format::mvmheap_v3:
      return {};
    case Format::v8_heapprofile:
    case Format::v8_heapsnapshot:
      if (settings.to.empty()) return {};
      return fmt::format("is a {}, which cannot become {}; leave --to out", title_of(format), settings.to);
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      break;
  }
  return fmt::format("is a {}, which cannot be recovered", title_of(format));
}

/// `0x31b478: input ends inside the array`; empty where there is no error.
std::string describe_first_error(const Report& report) {
  for (const Finding& finding : report.findings) {
    if (finding.rule->severity == Severity::error && finding.rule->stage != Stage::limit)
      return fmt::format("0x{:x}: {}", finding.location.file.offset, finding.message);
  }
  return {};
}

std::string describe(const RecoverSettings& settings, const RecoverOutcome& outcome, const Report& report) {
  std::string text = fmt::format("{}: {}\n{}{}", core::make_excerpt(settings.target_path(), SIZE_MAX),
                                 outcome.format, outcome.report, outcome.losses);
  if (const std::uint64_t errors = report.count(Severity::error); errors != 0)
    fmt::format_to(std::back_inserter(text),
                   "  errors in the input: {} (`heapcheck validate` lists them), the first at {}\n", errors,
                   describe_first_error(report));
  return text;
}

void report_nothing(const RecoverSettings& settings, const RecoverOutcome& outcome, const Report& report) {
  const std::string error = describe_first_error(report);
  print_error(fmt::format("{}: {} can be kept, so nothing was written{}{}", settings.input, outcome.nothing,
                          error.empty() ? "" : "; the first error is at ", error));
  if (!settings.quiet) print_note(outcome.dropped);
}

int run(const RecoverSettings& settings) {
  if (!check_paths(settings)) return usage;
  if (settings.output == "-") {
    print_error("the result is checked before it gets its name, so it needs a file; give -o FILE");
    return usage;
  }
  const Limits limits = settings.limits;
  Progress progress(count_bytes(settings.input).value_or(0), settings.shows_progress());
  auto opened = core::open_rereadable(settings.input, limits);
  if (!opened) return report_error(settings.input, opened.error());
  const auto source = progress.watch(std::move(*opened));
  if (would_decompress_in_place(settings, *source)) return usage;
  const auto report = check_dump(*source, limits);
  if (!report.format) return report_error(settings.input, {ErrorKind::unreadable, report.error});

  if (const std::string misuse = find_misuse(*report.format, settings); !misuse.empty()) {
    print_error(fmt::format("{}: {}", settings.input, misuse));
    return usage;
  }
  auto out = create_output(settings);
  if (!out) return report_error(settings.target_path(), out.error());
  // Before anything is written: a pipe cannot take back what turns out not to be sound.
  if (auto readable = out->open_written(); !readable)
    return report_error(settings.target_path(), readable.error());
  const auto outcome = recover(*report.format, *source, settings, *out);
  if (!outcome) {
    const bool is_output = outcome.error().kind == ErrorKind::unwritable;
    return report_error(is_output ? settings.target_path() : settings.input, outcome.error());
  }
  if (!outcome->has_kept && report.verdict != Verdict::valid) {
    report_nothing(settings, *outcome, report);
    return findings;
  }
  if (auto checked = check_result(*out, limits); !checked)
    return report_error(settings.target_path(), checked.error());
  if (auto done = out->commit(); !done) return report_error(settings.target_path(), done.error());
  print_summary(settings, describe(settings, *outcome, report));
  return report.verdict == Verdict::valid && !outcome->has_lost ? sound : lossy;
}

}  // namespace

int run_recover(const Values& values) {
  RecoverSettings settings;
  static_cast<RewriteSettings&>(settings) = make_rewrite_settings(values);
  settings.placeholder_names = values.get<bool>("placeholder-names");
  return run(settings);
}

}  // namespace heapcheck::cli
