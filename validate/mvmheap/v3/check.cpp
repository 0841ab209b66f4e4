#include "validate/mvmheap/v3/check.hpp"

#include <fmt/format.h>

#include <utility>

#include "formats/mvmheap/v3/reader.hpp"
#include "validate/mvmheap/lost_rows.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/snapshot_pass.hpp"
#include "validate/mvmheap/table_rules.hpp"
#include "validate/mvmheap/used_rows.hpp"
#include "validate/mvmheap/v3/meta_rules.hpp"
#include "validate/mvmheap/v3/places.hpp"
#include "validate/mvmheap/v3/rules.hpp"
#include "validate/mvmheap/writer_rules.hpp"

namespace heapcheck::validation::mvmheap::v3 {
namespace {

constexpr const Rule* about_totals[] = {&rules::highscores_length, &rules::highscores_mismatch,
                                        &rules::snapmeta_totals};

/// Checks one file. Keeps the state between parts.
class Check {
 public:
  Check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns, Reader reader)
      : tally_(sink, Severity::warning),
        sink_(&tally_),
        reader_(window, limits, tally_),
        tables_(reader_.tables()),
        writer_(reader_.tables()),
        used_(reader_.tables(), about_totals),
        pass_(columns, model::Shares::by_row),
        for_reader_(reader),
        for_reader_sink_(&sink) {}

  CheckedDump run(model::PartKeeper keeper) {
    format::BlockPart part;
    part.pass = &pass_;
    for (pass_.begin(); reader_.read_part(part); pass_.begin()) {
      check_part(part);
      if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
      keeper.keep(part);
    }
    if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
    const format::BlockContainer& container = reader_.container();
    metas_.check_times(file_meta(), reader_.file_meta_places(), *sink_);
    check_tocs(container, *sink_);
    check_finished();
    used_.check(tally_.rules(), *sink_);
    return {.kept = keeper.take(reader_.tables(), nullptr, file_meta())};
  }

 private:
  [[nodiscard]] const model::FileMeta* file_meta() const {
    return reader_.file_meta() ? &*reader_.file_meta() : nullptr;
  }

  void check_part(format::BlockPart& part) {
    const bool has_columns = part.has_graph_columns();
    const SnapshotFacts facts = has_columns ? pass_.finish(part.snapshot, part.after) : SnapshotFacts{};
    if (pass_.needs_columns()) return;
    const format::BlockContainer& container = reader_.container();
    check_column_lengths(container, part, *sink_);
    check_empty_blocks(container, part, *sink_);
    if (for_reader_ == Reader::comma) check_entry_sizes_for_comma(container, part, *for_reader_sink_);
    const Locate locate = make_locate(container, part, reader_.tables());
    strings_hold_ = tables_.check_part(part, strings_hold_, locate, *sink_);
    metas_.add_times(part);
    used_.add(part, locate, pass_.names());
    if (!part.has_snapshot) return;
    const bool is_read = part.has_whole_snapshot || part.is_whole(format::BlockKind::toc);
    if (!is_read || !has_columns) {
      return sink_->skip({fmt::format("/snapshots/{}", part.index),
                          "columns are missing, damaged or unread, or differ in length"});
    }
    check_graph(part, locate, facts);
  }

  void check_graph(const format::BlockPart& part, const Locate& locate, const SnapshotFacts& facts) {
    const SnapshotView view{part.index, part.snapshot, facts.summary, part.after, locate, facts.graph};
    const TablesKnown known{strings_hold_, part.types_known, part.frames_known};
    pass_.demand_columns_unless(are_enough(facts, part.snapshot, part.after.strings));
    if (pass_.needs_columns()) return;
    core::Tally graph(*sink_);
    core::Tally rows(graph);
    if (!check_reference_count(view, graph)) return;
    lost_rows_.check(view, known, rows);
    const SoundColumns sound = mvmheap::check_snapshot(view, lost_rows_.keep(known), graph);
    if (!rows.clean()) {
      return sink_->skip({fmt::format("/snapshots/{}/snapmeta", part.index),
                          "totals and highscores depend on rows that are missing"});
    }
    const PartView part_view{reader_.container(), part, facts.summary, file_meta(),
                             reader_.file_meta_places()};
    metas_.check_snapshot(part_view, sound, graph);
    if (sound.has_graph()) writer_.check(view, *sink_);
    check_sizes_for(for_reader_, view, *for_reader_sink_);
  }

  /// Reports a file that MoarVM did not finish writing.
  void check_finished() {
    const format::BlockContainer& container = reader_.container();
    if (reader_.is_finished() || !reader_.is_complete()) return;
    const Span end{container.byte_count, 0};
    sink_->report({&rules::file_unfinished,
                   {end, std::nullopt, ""},
                   fmt::format("file ends after the tables of contents of snapshot {}, expected a closing "
                               "part without a snapshot",
                               container.parts - 1)});
  }

  core::Tally tally_;
  core::FindingSink* sink_;
  format::FrontReader reader_;
  TableRules tables_;
  WriterRules writer_;
  UsedRows used_;
  SnapshotPass pass_;
  Reader for_reader_;
  core::FindingSink* for_reader_sink_;  ///< its findings do not stop other checks
  MetaRules metas_;
  LostRows lost_rows_;
  bool strings_hold_ = true;
};

}  // namespace

CheckedDump check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns,
                  model::PartKeeper keeper, Reader reader) {
  return Check(window, limits, sink, columns, reader).run(std::move(keeper));
}

}  // namespace heapcheck::validation::mvmheap::v3
