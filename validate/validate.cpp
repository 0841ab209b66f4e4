#include "validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "formats/core/faults.hpp"
#include "formats/core/window.hpp"
#include "formats/detect.hpp"
#include "validate/chrome/check.hpp"
#include "validate/mvmheap/v1/check.hpp"
#include "validate/mvmheap/v2/check.hpp"
#include "validate/mvmheap/v3/check.hpp"
#include "validate/v8/heapprofile/check.hpp"
#include "validate/v8/heapsnapshot/check.hpp"

namespace heapcheck::validation {
namespace {

using v8::heapsnapshot::consumers::Consumer;

/// Calls `use` with the rule and the number of cases of everything found.
template <class Use>
void for_each_rule(const Report& report, Use&& use) {
  for (const Finding& finding : report.findings) use(*finding.rule, 1);
  for (const More& more : report.more) use(*more.rule, more.count);
}

Verdict judge(const Report& report) {
  if (report.count_limits() != 0) return Verdict::undecided;
  if (!report.well_formed) return Verdict::not_well_formed;
  return report.count(Severity::error) == 0 ? Verdict::valid : Verdict::not_valid;
}

bool is_well_formed(const Report& report) {
  bool well_formed = true;
  for_each_rule(report, [&](const Rule& rule, std::uint64_t) {
    if (rule.stage == Stage::read && rule.severity == Severity::error) well_formed = false;
  });
  return well_formed;
}

Report unreadable(std::string why) {
  Report report;
  report.error = std::move(why);
  return report;
}

Report make_stranger(std::string why, bool is_of_unknown_format) {
  Report report = unreadable(std::move(why));
  report.is_of_unknown_format = is_of_unknown_format;
  return report;
}

std::string explain_unread(Format format, Consumer consumer) {
  return fmt::format("is of the format {}, which {} does not read", slug_of(format), name_of(consumer));
}

/// Gives the format, which for a trace shows only when it is read; and whether nothing is of it after all.
chrome::Outcome check_format(Format format, core::Window& window, const Options& options,
                             Collector& collector) {
  switch (format) {
    case Format::mvmheap_v1:
      mvmheap::v1::check(window, options.limits, collector);
      break;
    case Format::mvmheap_v2:
      mvmheap::v2::check(window, options.limits, collector);
      break;
    case Format::mvmheap_v3:
      mvmheap::v3::check(window, options.limits, collector);
      break;
    case Format::chrome_trace:
    case Format::chrome_legacy:
    case Format::heaps_v2:
      return chrome::check(window, options.limits, collector);
    case Format::v8_heapprofile:
      v8::heapprofile::check(window, options.limits, collector);
      break;
    case Format::v8_heapsnapshot:
      v8::heapsnapshot::check(window, options.limits, collector, options.reader);
      break;
  }
  return {format};
}

/// Checks what stands in `window`, from its format's first byte on.
Report check_window(const formats::Detection& detection, core::Window& window, const Options& options) {
  Report report;
  Collector collector(options.max_per_rule, v8::heapsnapshot::consumers::raised_for(options.reader.consumer));
  report.format = detection.format;
  try {
    const chrome::Outcome outcome = check_format(*detection.format, window, options, collector);
    if (detection.is_guess && outcome.is_foreign)
      return make_stranger(detection.explanation, detection.is_stranger);
    report.format = outcome.format;
  } catch (const std::bad_alloc&) {
    collector.report(
        {&core::rules::limit_memory, {{window.offset(), 0}}, "memory ran out before the limit was reached"});
  }
  const auto& error = window.error();
  if (error && error->kind == ErrorKind::unreadable) return unreadable(error->message);
  report.byte_count = window.offset() + window.peek(1).size();
  report.findings = collector.take_findings();
  report.more = collector.more();
  report.skipped = collector.take_skips();
  report.well_formed = is_well_formed(report);
  report.verdict = judge(report);
  return report;
}

}  // namespace

Report check_source(std::unique_ptr<core::ByteSource> raw, const Options& options) {
  auto input = core::unwrap(std::move(raw), options.limits);
  if (!input) return unreadable(std::move(input.error().message));
  core::Window window(*input->source);
  const core::ByteSpan first_bytes = window.peek(formats::detection_bytes);
  if (first_bytes.empty() && window.error()) return unreadable(window.error()->message);
  auto detection = formats::detect(first_bytes.first(std::min(first_bytes.size(), formats::detection_bytes)));
  if (!detection.format) return make_stranger(std::move(detection.explanation), detection.is_stranger);
  const Consumer consumer = options.reader.consumer;
  const bool is_read = v8::heapsnapshot::consumers::reads(consumer, *detection.format);
  Report report;
  report.format = detection.format;
  if (is_read || detection.is_guess) report = check_window(detection, window, options);
  if (!is_read && report.format) return make_stranger(explain_unread(*report.format, consumer), true);
  return report;
}

Report check_file(const std::string& path, const Options& options) {
  if (path == "-") return check_source(core::open_standard_input(), options);
  auto source = core::open_file(path);
  if (!source) return unreadable(std::move(source.error().message));
  return check_source(std::move(*source), options);
}

}  // namespace heapcheck::validation
