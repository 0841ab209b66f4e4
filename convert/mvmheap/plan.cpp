#include "convert/mvmheap/plan.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "convert/mvmheap/targets.hpp"
#include "formats/open.hpp"

namespace heapcheck::conversion::mvmheap {
namespace {

/// Reads the dump that `survey` describes for the second time and writes it.
Result<void> write(const formats::RereadableDump& dump, const Survey& survey, const Request& request,
                   core::ByteSink& out) {
  core::SilentSink sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(opened.error());
  const model::WrittenLayout& layout = layout_of(request.target);
  const auto writer = layout.make_writer(out, survey.file_meta, {request.level});
  auto done = convert(*opened->reader, survey, layout.capacity, request.limits, *writer);
  if (done && opened->error()) return std::unexpected(*opened->error());
  return done;
}

std::vector<Amount> count(const Survey& survey) {
  const model::TableCounts rows = survey.tables.counts();
  return {{"snapshots", survey.snapshots},
          {"strings", rows.strings},
          {"types", rows.types},
          {"static frames", rows.static_frames}};
}

}  // namespace

Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request) {
  const formats::RereadableDump dump(source, request.limits, std::get_if<model::KeptDump>(&content.model),
                                     format);
  core::SilentSink sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(opened.error());
  auto survey = std::make_shared<Survey>(make_survey(*opened->reader));
  if (opened->error()) return std::unexpected(*opened->error());
  opened->reader.reset();  // puts back the dump that was kept in memory
  Plan plan;
  plan.amounts = count(*survey);
  plan.losses = find_losses(*survey, layout_of(request.target).capacity);
  plan.write = [dump, survey = std::move(survey), request](core::ByteSink& out) {
    return write(dump, *survey, request, out);
  };
  return plan;
}

}  // namespace heapcheck::conversion::mvmheap
