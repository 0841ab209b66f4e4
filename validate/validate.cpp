#include "validate/validate.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "formats/core/added_bytes.hpp"
#include "formats/core/faults.hpp"
#include "formats/core/input_failure.hpp"
#include "formats/core/window.hpp"
#include "formats/mvmheap/faults.hpp"
#include "formats/open.hpp"
#include "validate/chrome/rules.hpp"
#include "validate/collector.hpp"

namespace heapcheck::validation {
namespace {

Verdict judge(const Report& report) {
  if (report.count_limits() != 0) return Verdict::undecided;
  if (!report.well_formed) return Verdict::not_well_formed;
  return report.count(Severity::error) == 0 ? Verdict::valid : Verdict::not_valid;
}

Report unreadable(std::string why) {
  Report report;
  report.error = std::move(why);
  return report;
}

Report make_unidentified(std::string why, bool is_of_unknown_format) {
  Report report = unreadable(std::move(why));
  report.is_of_unknown_format = is_of_unknown_format;
  return report;
}

/// The report on an input that could not be opened.
Report make_unopened(Error error) {
  Report report = make_unidentified(std::move(error.message), error.kind == ErrorKind::unknown_format);
  if (is_limit(error.kind)) report.verdict = Verdict::undecided;
  return report;
}

std::string explain_unread(Format format, Reader reader) {
  return fmt::format("is in format {}, which {} does not read", slug_of(format), name_of(reader));
}

/// The last limit that was reached.
std::optional<Error> find_limit(const Collector& collector) {
  if (!collector.limit()) return std::nullopt;
  return Error{ErrorKind::limit, *collector.limit()};
}

/// After an error, at most this much is decompressed to check the compression, because a small file can
/// become far larger.
constexpr std::uint64_t most_skipped = std::uint64_t{16} << 30;

/// Reads the rest of a compressed input and reports faults in the compression. If these faults mean that the
/// content may be wrong, nothing else is reported. Returns whether the content may be wrong.
bool check_transport(formats::OpenedInput& input, Collector& collector) {
  if (input.input.compression == Compression::none) return false;
  core::Window& window = *input.window;
  window.skip(most_skipped);
  const auto& error = window.error();
  const core::TransportState transport = input.input.source->transport();
  const Location end{{window.offset(), 0}};
  const bool is_damaged = error && error->kind == ErrorKind::damaged;
  if (is_damaged && !collector.has(core::rules::input_compression))
    collector.report({&core::rules::input_compression, end, error->message});
  const bool is_corrupt = is_damaged && transport.is_corrupt;
  if (is_corrupt) collector.keep_only(core::rules::input_compression);
  if (!transport.trailing_bytes.empty())
    collector.report({&core::rules::input_trailing_bytes, end, transport.trailing_bytes});
  return is_corrupt;
}

/// Reports the fault that every file in the format has for the reader. A trace without heap dumps has no such
/// fault.
void report_format_fault(Reader reader, Format format, Collector& collector) {
  const FormatFault* const fault = find_format_fault(reader, format);
  if (fault != nullptr && !collector.has(chrome::rules::dumps_none))
    collector.report({fault->rule, {}, std::string(fault->message)});
}

/// Reports that text mode added bytes to the file, which the content that was checked does not have.
void report_text_mode(const core::TextModeSource& source, Collector& collector) {
  const std::uint64_t added = source.added_bytes()->count();
  const std::uint64_t all = source.line_feeds();
  collector.report(
      {&heapcheck::mvmheap::rules::file_text_mode,
       {{source.added_bytes()->first(), 2}},
       fmt::format("found a byte 0d before {}{} bytes 0a, expected none: the file was written in text "
                   "mode on Windows",
                   added == all ? "each of the " : fmt::format("{} of ", added), all)});
}

/// Converts a report on the content of a file that was written in text mode to a report on the file itself:
/// replaces offsets by those in the file. Drops notes, because the file has to be repaired before they
/// matter.
void move_to_file(const core::AddedBytes& added, Report& report) {
  report.byte_count = added.to_file(report.byte_count);
  const auto is_note = [](const auto& found) { return found.rule->severity == Severity::note; };
  std::erase_if(report.findings, is_note);
  std::erase_if(report.more, is_note);
  for (Finding& finding : report.findings) {
    if (finding.rule == &heapcheck::mvmheap::rules::file_text_mode) continue;
    finding.location.file = added.to_file(finding.location.file);
    for (auto& related : finding.related) related.location.file = added.to_file(related.location.file);
  }
}

/// Leaves the source to its owner, who can then read it again.
class BorrowedSource final : public core::ByteSource {
 public:
  explicit BorrowedSource(core::ByteSource& source) : source_(&source) {}
  Result<std::size_t> read(core::MutableByteSpan buffer) override { return source_->read(buffer); }
  [[nodiscard]] core::TransportState transport() const override { return source_->transport(); }
  [[nodiscard]] const core::AddedBytes* added_bytes() const override { return source_->added_bytes(); }

 private:
  core::ByteSource* source_;
};

/// Checks the content of `input`, starting at the first byte of its format. May return nothing if
/// `can_read_again` is true; see check_format().
std::optional<Checked> check_input(formats::OpenedInput& input, const Options& options, bool can_read_again) {
  Checked checked;
  Report& report = checked.report;
  const formats::Detection& detection = input.detection;
  core::Window& window = *input.window;
  Collector collector(options.max_per_rule, raised_for(options.reader.which), options.selection);
  report.format = detection.format;
  try {
    auto model = check_format(*detection.format, window, options, can_read_again, collector);
    if (!model) return std::nullopt;
    checked.content.model = std::move(*model);
  } catch (const std::bad_alloc&) {
    collector.report({&core::rules::limit_memory,
                      {{window.offset(), 0}},
                      "needs more memory than the limit or the system allows"});
  }
  if (input.text_mode) report_text_mode(*input.text_mode, collector);
  checked.content.is_corrupt = check_transport(input, collector);
  const auto& error = window.error();
  if (error && !is_limit(error->kind) && error->kind != ErrorKind::damaged)
    return Checked{unreadable(error->message), {}};
  // A reader that stopped at damage may not have reached the end of the readable data.
  if (error && is_limit(error->kind) && !collector.limit())
    core::report_input_failure(window, collector, {{window.offset(), 0}});
  if (const auto* trace = std::get_if<formats::Trace>(&checked.content.model)) {
    if (detection.is_guess && trace->container.is_foreign && error)
      return Checked{unreadable(error->message), {}};
    if (detection.is_guess && trace->container.is_foreign)
      return Checked{make_unidentified(detection.explanation, detection.is_of_unknown_format), {}};
    report.format = trace->format();
  }
  report_format_fault(options.reader.which, *report.format, collector);
  checked.content.obstacle = error && error->kind != ErrorKind::damaged ? error : find_limit(collector);
  report.byte_count = window.offset() + window.look_ahead(core::Window::default_capacity).size();
  report.findings = collector.take_findings();
  report.more = collector.more();
  if (input.text_mode) move_to_file(*input.text_mode->added_bytes(), report);
  report.skipped = collector.take_skips();
  report.ignored = collector.count_ignored();
  report.well_formed = collector.is_well_formed();
  report.verdict = judge(report);
  return checked;
}

}  // namespace

namespace {

/// Checks a source once, from its first byte. May return nothing if `can_read_again` is true.
std::optional<Checked> check_once(core::ByteSource& raw, const Options& options, bool can_read_again) {
  auto input = formats::open(std::make_unique<BorrowedSource>(raw), options.limits);
  if (!input) return Checked{make_unopened(std::move(input.error())), {}};
  const Reader reader = options.reader.which;
  const bool is_read = reads(reader, *input->detection.format);
  Checked checked;
  checked.report.format = input->detection.format;
  if (is_read || input->detection.is_guess) {
    auto found = check_input(*input, options, can_read_again);
    if (!found) return std::nullopt;
    checked = std::move(*found);
  }
  if (!is_read && checked.report.format)
    return Checked{make_unidentified(explain_unread(*checked.report.format, reader), true), {}};
  return checked;
}

}  // namespace

Checked check(std::unique_ptr<core::ByteSource> raw, const Options& options) {
  const bool can_read_again = raw->rewind();
  if (auto checked = check_once(*raw, options, can_read_again)) return std::move(*checked);
  if (!raw->rewind()) return {unreadable("cannot be read a second time"), {}};
  return *check_once(*raw, options, false);
}

Report check_source(std::unique_ptr<core::ByteSource> raw, const Options& options) {
  return check(std::move(raw), options).report;
}

}  // namespace heapcheck::validation
