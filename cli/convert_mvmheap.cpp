// heapcheck convert: a MoarVM dump as another version of it.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/convert.hpp"
#include "cli/output.hpp"
#include "formats/core/excerpt.hpp"
#include "formats/registry_mvmheap.hpp"

namespace heapcheck::cli {
namespace {

std::string describe(const ConvertSettings& settings, formats::Format from, formats::Target to,
                     const mvmheap::Survey& survey) {
  const mvmheap::TableCounts rows = survey.tables.counts();
  return fmt::format("{}: {} from {}\n  snapshots: {}\n  strings: {}, types: {}, static frames: {}\n",
                     core::make_excerpt(settings.target_path(), SIZE_MAX), formats::name_of(to),
                     formats::slug_of(from), survey.snapshots, rows.strings, rows.types, rows.static_frames);
}

/// The second reading, which writes.
core::Result<void> write(core::SeekableSource& source, const ConvertSettings& settings,
                         formats::Target target, const mvmheap::Survey& survey, core::ByteSink& out) {
  core::SilentSink sink;
  const core::Limits limits = settings.limits();
  auto dump = formats::open_mvmheap(source, limits, sink);
  if (!dump) return std::unexpected(dump.error());
  const auto writer = formats::make_writer(target, out, survey.file_meta, {settings.level});
  auto done = mvmheap::convert(*dump->reader, survey, formats::capacity_of(target), limits, *writer);
  if (done && dump->window->error()) return std::unexpected(*dump->window->error());
  return done;
}

}  // namespace

int convert_mvmheap(const ConvertSettings& settings, core::SeekableSource& source) {
  core::SilentSink sink;
  auto dump = formats::open_mvmheap(source, settings.limits(), sink);
  if (!dump) return report_error(settings.input, dump.error());
  const mvmheap::Survey survey = mvmheap::make_survey(*dump->reader);
  if (dump->window->error()) return report_error(settings.input, *dump->window->error());
  const formats::Target target = *formats::find_target(settings.to);
  const auto losses = mvmheap::find_losses(survey, formats::capacity_of(target));
  if (stops_at(settings, losses)) return usage;
  const auto wrote = write_checked(
      settings, [&](core::ByteSink& out) { return write(source, settings, target, survey, out); });
  if (!wrote) return report_write_error(settings, wrote.error());
  print_summary(settings, describe(settings, dump->format, target, survey) + describe_losses(losses));
  return losses.empty() ? sound : lossy;
}

}  // namespace heapcheck::cli
