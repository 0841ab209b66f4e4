#include "validate/mvmheap/v1/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include <utility>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/reader.hpp"
#include "validate/mvmheap/lost_rows.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/snapshot_pass.hpp"
#include "validate/mvmheap/table_rules.hpp"
#include "validate/mvmheap/used_rows.hpp"
#include "validate/mvmheap/v1/places.hpp"
#include "validate/mvmheap/v1/rules.hpp"
#include "validate/mvmheap/v1/tables_count.hpp"
#include "validate/mvmheap/writer_rules.hpp"

namespace heapcheck::validation::mvmheap::v1 {
namespace {

/// Checks one file. Keeps the state between snapshots.
class Check {
 public:
  Check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns, Reader reader)
      : faults_(sink, Severity::warning),
        tally_(faults_),
        sink_(&tally_),
        reader_(window, limits, tally_),
        tables_(reader_.tables()),
        counts_(reader_.container(), reader_.tables()),
        writer_(reader_.tables()),
        used_(reader_.tables()),
        pass_(columns, model::Shares::none),
        for_reader_(reader),
        for_reader_sink_(&sink) {}

  CheckedDump run(model::PartKeeper keeper) {
    format::LinePart part;
    part.pass = &pass_;
    for (pass_.begin(); reader_.read_part(part); pass_.begin()) {
      check_part(part);
      if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
      keeper.keep(part);
    }
    if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
    check_names_used();
    if (!reader_.container().first_quoted_name) used_.check(faults_.rules(), *sink_);
    return {.kept = keeper.take(reader_.tables(), nullptr, nullptr)};
  }

 private:
  void check_part(format::LinePart& part) {
    const SnapshotFacts facts =
        part.has_whole_graph ? pass_.finish(part.snapshot, part.after) : SnapshotFacts{};
    pass_.demand_columns_unless(
        !part.has_whole_graph ||
        (are_enough(facts, part.snapshot, part.after.strings) && facts.graph.have_childless_no_start));
    if (pass_.needs_columns()) return;
    const Locate locate = make_locate(reader_.container(), part, reader_.tables());
    check_tables(part, locate);
    if (!part.has_snapshot) return;
    if (!part.has_whole_graph) {
      return sink_->skip({fmt::format("/snapshots/{}", part.index),
                          "collectables or references could not be read completely"});
    }
    used_.add(part, locate, pass_.names());
    const SnapshotView view{part.index, part.snapshot, facts.summary, part.after, locate, facts.graph};
    if (!check_reference_count(view, last_references(), *sink_)) {
      return sink_->skip(
          {fmt::format("/snapshots/{}", part.index), "its collectables and references do not match"});
    }
    if (!std::exchange(lacks_targets_, lacks_targets_ || !part.snapshot.references.has_targets))
      check_has_targets(view, last_references(), *sink_);
    const TablesKnown known{part.strings_known, part.types_known, part.frames_known};
    if (may_be_outside(view)) counts_.check_rows(part.snapshot, known, *sink_);
    const SoundColumns sound = mvmheap::check_snapshot(view, counts_.keep(known), *sink_);
    // These rules follow references, so other faults of the graph could cause their findings.
    if (sound.has_graph()) check_childless_starts(view, rules::collectables_childless_start, *sink_);
    if (sound.has_graph()) writer_.check(view, *sink_);
    check_sizes(view, *sink_);
    check_sizes_for(for_reader_, view, *for_reader_sink_);
    if (reader_.container().first_quoted_name) note_used_strings(part);
  }

  /// Checks the shared tables, all of which are in the first part.
  void check_tables(const format::LinePart& part, const Locate& locate) {
    const auto& [strings, types, frames] = part.after;
    tables_.check_nul(part.before.strings, strings, locate, *sink_);
    tables_.check_strings(part.before.strings, strings, locate, *sink_);
    check_names_for(for_reader_, reader_.tables(), part.before.strings, strings, locate, *for_reader_sink_);
    if (part.strings_known && part.before.strings != strings) counts_.check_strings(*sink_);
    const std::uint64_t known = counts_.keep({part.strings_known}).strings ? strings : UINT64_MAX;
    if (part.types_known) tables_.check_types(part.before.types, types, known, locate, *sink_);
    if (part.frames_known) tables_.check_frames(part.before.static_frames, frames, known, locate, *sink_);
  }

  /// The place of the last line of references read so far.
  [[nodiscard]] Span last_references() const {
    for (const format::Line& line : reader_.container().lines | std::views::reverse) {
      if (line.kind == format::LineKind::references) return line.span;
    }
    return {};
  }

  void note_used_strings(const format::LinePart& part) {
    used_strings_ = std::max(used_strings_, model::find_needed_strings(part.snapshot.references));
  }

  /// MoarVM's tables contain no unused names. If there are unused names at the end, after a name that begins
  /// with a quote, a single name was read as several. spec: mvmheap/v1.md#undecidable
  void check_names_used() {
    const format::LineContainer& container = reader_.container();
    const model::Tables& tables = reader_.tables();
    const auto& quoted = container.first_quoted_name;
    const bool is_whole = std::ranges::all_of(container.lines, &format::Line::whole);
    if (!quoted || !container.complete || container.snapshots == 0 || !is_whole || !tally_.clean()) return;
    const auto use = [this](const auto& column) {
      for (std::uint64_t i = 0; i < column.count(); ++i)
        used_strings_ = std::max(used_strings_, column[i] + 1);
    };
    // The names of references were recorded when the snapshots were read.
    use(tables.types.repr_name);
    use(tables.types.type_name);
    use(tables.static_frames.name);
    use(tables.static_frames.cuid);
    use(tables.static_frames.file);
    const std::uint64_t count = tables.strings.count();
    if (used_strings_ >= count) return;
    sink_->report({&heapcheck::mvmheap::v1::rules::strings_undecidable,
                   {quoted->place, std::nullopt, fmt::format("/strings/{}", quoted->index)},
                   fmt::format("name {} begins with a quote and may end later than it seems; found {} at the "
                               "end, expected none",
                               quoted->index, core::counted(count - used_strings_, "unused name"))});
  }

  core::Tally faults_;
  core::Tally tally_;
  core::FindingSink* sink_;
  format::FrontReader reader_;
  TableRules tables_;
  TablesCount counts_;
  WriterRules writer_;
  UsedRows used_;
  SnapshotPass pass_;
  Reader for_reader_;
  core::FindingSink* for_reader_sink_;  ///< its findings do not stop other checks
  std::uint64_t used_strings_ = 0;
  bool lacks_targets_ = false;  ///< whether references without targets have been reported
};

}  // namespace

bool check_reference_count(const SnapshotView& view, Span place, core::FindingSink& sink) {
  const auto mismatch = find_mismatch(view.snapshot);
  if (!mismatch) return true;
  const std::uint64_t count = view.snapshot.references.count();
  sink.report({&rules::references_count,
               {place, std::nullopt, fmt::format("/snapshots/{}/references", view.index)},
               fmt::format("list has {}, expected {}, the sum of num_refs", core::counted(count, "reference"),
                           mismatch->owned)});
  return false;
}

void check_sizes(const SnapshotView& view, core::FindingSink& sink) {
  const auto& sizes = view.snapshot.collectables.size;
  if (sizes.is_narrow()) return;
  report_each(
      sizes.count(), rules::collectables_size, sink, [&](std::uint64_t i) { return sizes[i] > UINT16_MAX; },
      [&](std::uint64_t i) {
        return Finding{&rules::collectables_size, view.locate(Field::collectable_size, i),
                       fmt::format("size is {}, expected at most 65535", sizes[i])};
      });
}

void check_has_targets(const SnapshotView& view, Span place, core::FindingSink& sink) {
  const model::References& references = view.snapshot.references;
  if (references.has_targets) return;
  sink.report(
      {&rules::references_targets,
       {place, std::nullopt, fmt::format("/snapshots/{}/references", view.index)},
       fmt::format("{} kind, 0 and index, expected kind, index and target: a 32-bit MoarVM wrote them",
                   references.count() == 1 ? "1 reference consists of"
                                           : fmt::format("{} references consist of", references.count()))});
}

CheckedDump check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns,
                  model::PartKeeper keeper, Reader reader) {
  return Check(window, limits, sink, columns, reader).run(std::move(keeper));
}

}  // namespace heapcheck::validation::mvmheap::v1
