#include "convert/mvmheap/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "convert/plan.hpp"
#include "formats/core/source.hpp"
#include "formats/format.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/open.hpp"

namespace heapcheck::conversion::mvmheap {
namespace {

std::uint64_t count_unrepresentable(const model::StringTable& strings, bool (*holds_name)(std::string_view)) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < strings.count(); ++i)
    count += holds_name(strings[model::StringIndex{i}]) ? 0U : 1U;
  return count;
}

/// Reads the dump that `survey` describes a second time and writes it.
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

Error explain_missing_targets(Target target) {
  return {ErrorKind::unsupported, fmt::format("does not contain the targets of references, because a 32-bit "
                                              "MoarVM wrote it, but {} requires them",
                                              name_of(target))};
}

std::vector<Amount> count(const Survey& survey) {
  const model::TableCounts rows = survey.tables.counts();
  return {{"snapshots", survey.snapshots},
          {"strings", rows.strings},
          {"types", rows.types},
          {"static frames", rows.static_frames}};
}

}  // namespace

const model::WrittenLayout& layout_of(Target target) {
  return formats::info_of(target.format).version->layouts[target.layout];
}

Target usual_target(Format format, const Survey& survey) {
  const auto layouts = formats::info_of(format).version->layouts;
  if (survey.count_grown() == 0) return {.format = format};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].capacity.holds_table_growth)
      return {.format = format, .layout = static_cast<std::uint8_t>(i)};
  }
  return {.format = format};
}

std::uint64_t Survey::count_grown() const {
  const model::TableCounts all = tables.counts();
  return static_cast<std::uint64_t>(
      std::ranges::count_if(seen, [&](const model::TableCounts& counts) { return counts != all; }));
}

Survey make_survey(model::DumpReader& reader) {
  Survey survey;
  while (const model::Part* part = reader.read_part()) {
    if (!part->has_snapshot) continue;
    ++survey.snapshots;
    survey.metas += part->meta ? 1U : 0U;
    survey.highscores += part->highscores.ids.count() != 0 ? 1U : 0U;
    survey.without_targets += part->snapshot.references.has_targets ? 0U : 1U;
    survey.seen.push_back(part->after);
  }
  survey.tables = reader.tables();
  std::ranges::replace(survey.seen, model::counts_unknown, survey.tables.counts());
  if (const model::FileMeta* meta = reader.file_meta()) {
    survey.file_meta = *meta;
    survey.has_file_meta = true;
  }
  return survey;
}

std::vector<Loss> find_losses(const Survey& survey, const model::Capacity& capacity) {
  std::vector<Loss> losses;
  const auto add = [&](std::string_view what, std::uint64_t count, std::string_view reason) {
    if (count != 0) losses.push_back({std::string(what), count, std::string(reason)});
  };
  if (!capacity.holds_metas) {
    add("file metadata", survey.has_file_meta ? 1 : 0, "start time and process");
    add("snapshot metadata", survey.metas, "times and numbers of garbage collections");
    add("highscores", survey.highscores, "lists of the largest types and static frames");
  }
  const bool has_closing_rows = !survey.seen.empty() && survey.seen.back() != survey.tables.counts();
  // If the target records the growth of tables but no rows after the last snapshot, such rows appear to
  // belong to that snapshot.
  if (!capacity.holds_table_growth) {
    add("table growth", survey.count_grown(), "snapshots that were taken before the tables had all rows");
  } else if (!capacity.holds_closing_rows && has_closing_rows) {
    add("table growth", 1, "rows added after the last snapshot; they are written with it");
  }
  if (capacity.holds_name != nullptr) {
    add("names", count_unrepresentable(survey.tables.strings, capacity.holds_name),
        "strings that a reader of the target could not distinguish from others; they are written in a "
        "different form");
  }
  return losses;
}

Result<void> complete_part(model::Part& part, const model::FileMeta& file_meta,
                           const model::Capacity& capacity, const Limits& limits) {
  if (!capacity.holds_metas || !part.has_snapshot) return {};
  if (part.meta && part.highscores.ids.count() != 0) return {};
  const model::Summary summary = model::summarise(part.snapshot.collectables, part.after);
  if (summary.byte_count == UINT64_MAX) {
    return std::unexpected(
        Error{ErrorKind::unwritable, "sizes of a snapshot add up to 2^64 bytes or more, expected less"});
  }
  if (!part.meta) part.meta = model::make_snapshot_meta(part.snapshot, summary);
  if (part.highscores.ids.count() != 0) return {};
  auto highscores = model::make_highscores(summary, file_meta, limits);
  if (!highscores) return std::unexpected(std::move(highscores.error()));
  part.highscores = std::move(*highscores);
  return {};
}

Result<void> convert(model::DumpReader& reader, const Survey& survey, const model::Capacity& capacity,
                     const Limits& limits, model::DumpWriter& writer) {
  std::size_t snapshot = 0;
  while (model::Part* part = reader.read_part()) {
    // A part without a snapshot has only rows, which finish() writes.
    if (!part->has_snapshot || snapshot == survey.seen.size()) continue;
    const model::TableCounts& seen = survey.seen[snapshot++];
    part->after = capacity.holds_table_growth ? seen : survey.tables.counts();
    if (auto done = complete_part(*part, survey.file_meta, capacity, limits); !done) return done;
    if (auto wrote = writer.write_part(*part, survey.tables); !wrote) return wrote;
  }
  if (snapshot != survey.seen.size()) return core::make_changed();
  return writer.finish(survey.tables);
}

Result<Plan> make_plan(core::SeekableSource& source, Format format, formats::Content& content,
                       const Request& request) {
  const formats::RereadableDump dump(source, request.limits, std::get_if<model::KeptDump>(&content.model),
                                     format);
  core::SilentSink sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(opened.error());
  auto survey = std::make_shared<Survey>(make_survey(*opened->reader));
  if (opened->error()) return std::unexpected(*opened->error());
  opened->reader.reset();  // restores the dump that was kept in memory
  const model::Capacity& capacity = layout_of(request.target).capacity;
  if (survey->without_targets != 0 && !capacity.holds_missing_targets)
    return std::unexpected(explain_missing_targets(request.target));
  Plan plan;
  plan.amounts = count(*survey);
  plan.losses = find_losses(*survey, capacity);
  plan.write = [dump, survey = std::move(survey), request](core::ByteSink& out) {
    return write(dump, *survey, request, out);
  };
  return plan;
}

}  // namespace heapcheck::conversion::mvmheap
