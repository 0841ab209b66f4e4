// heapcheck convert: a MoarVM dump as another version of it.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/convert.hpp"
#include "cli/output.hpp"
#include "convert/mvmheap/targets.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/open.hpp"

namespace heapcheck::cli {
namespace {

std::string describe(const ConvertSettings& settings, Format from, Target to,
                     const conversion::mvmheap::Survey& survey) {
  const mvmheap::TableCounts rows = survey.tables.counts();
  return fmt::format("{}: {} from {}\n  snapshots: {}\n  strings: {}, types: {}, static frames: {}\n",
                     core::make_excerpt(settings.target_path(), SIZE_MAX), name_of(to), slug_of(from),
                     survey.snapshots, rows.strings, rows.types, rows.static_frames);
}

/// The second reading, which writes.
Result<void> write(core::SeekableSource& source, const ConvertSettings& settings, Target target,
                   const conversion::mvmheap::Survey& survey, core::ByteSink& out) {
  core::SilentSink sink;
  const Limits limits = settings.limits;
  auto dump = formats::open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(dump.error());
  const auto writer =
      conversion::mvmheap::layout_of(target).make_writer(out, survey.file_meta, {settings.level});
  auto done = conversion::mvmheap::convert(*dump->reader, survey,
                                           conversion::mvmheap::layout_of(target).capacity, limits, *writer);
  if (done && dump->input.window->error()) return std::unexpected(*dump->input.window->error());
  return done;
}

}  // namespace

int convert_mvmheap(const ConvertSettings& settings, core::SeekableSource& source) {
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, settings.limits, sink);
  if (!dump) return report_error(settings.input, dump.error());
  const conversion::mvmheap::Survey survey = conversion::mvmheap::make_survey(*dump->reader);
  if (dump->input.window->error()) return report_error(settings.input, *dump->input.window->error());
  const Target target = *find_target(settings.to);
  const auto losses =
      conversion::mvmheap::find_losses(survey, conversion::mvmheap::layout_of(target).capacity);
  if (stops_at(settings, losses)) return usage;
  const auto wrote = write_checked(
      settings, [&](core::ByteSink& out) { return write(source, settings, target, survey, out); });
  if (!wrote) return report_write_error(settings, wrote.error());
  print_summary(settings,
                describe(settings, *dump->input.detection.format, target, survey) + describe_losses(losses));
  return losses.empty() ? sound : lossy;
}

}  // namespace heapcheck::cli
