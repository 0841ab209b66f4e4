#include "validate/mvmheap/v2/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "formats/mvmheap/v2/entries.hpp"
#include "formats/mvmheap/v2/reader.hpp"
#include "validate/mvmheap/lost_rows.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/snapshot_pass.hpp"
#include "validate/mvmheap/table_rules.hpp"
#include "validate/mvmheap/used_rows.hpp"
#include "validate/mvmheap/v2/places.hpp"
#include "validate/mvmheap/v2/rules.hpp"
#include "validate/mvmheap/writer_rules.hpp"

namespace heapcheck::validation::mvmheap::v2 {
namespace {

/// Checks one file. Keeps the state between parts.
class Check {
 public:
  Check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns)
      : tally_(sink, Severity::warning),
        sink_(&tally_),
        reader_(window, limits, tally_),
        tables_(reader_.tables()),
        writer_(reader_.tables()),
        used_(reader_.tables()),
        pass_(columns, model::Shares::none) {}

  CheckedDump run(model::PartKeeper keeper) {
    format::SectionPart part;
    part.pass = &pass_;
    for (pass_.begin(); reader_.read_part(part); pass_.begin()) {
      check_part(part);
      if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
      keeper.keep(part);
    }
    if (pass_.needs_columns(part.snapshot)) return {.kept = {}, .needs_columns = true};
    const format::SectionContainer& container = reader_.container();
    const TablesKnown known = lost_rows_.keep({strings_hold_, types_known_, frames_known_});
    if (late_.needs_places(reader_.tables().counts(), known)) return {.kept = {}, .needs_columns = true};
    late_.check(reader_.tables().counts(), known, *sink_);
    check_last();
    check_quirks(container, *sink_);
    if (rows_hold_) check_upper_halves(container, *sink_);
    check_index(container, faulty_, *sink_);
    writer_.check_late(*sink_);
    used_.check(tally_.rules(), *sink_);
    CheckedDump checked{.kept = keeper.take(reader_.tables(), reader_.repeated_tables(), nullptr)};
    if (checked.kept) checked.kept->declared_snapshots = reader_.declared_snapshots();
    return checked;
  }

 private:
  void check_part(format::SectionPart& part) {
    const SnapshotFacts facts =
        part.has_whole_graph ? pass_.finish(part.snapshot, part.after) : SnapshotFacts{};
    if (pass_.needs_columns()) return;
    const Locate locate = make_locate(reader_.container(), part, reader_.tables());
    compare_counts(part.index);
    types_known_ = part.types_known && types_counted_;
    frames_known_ = part.frames_known && frames_counted_;
    if (!part.has_snapshot && !reader_.container().snapshots.empty()) return check_closing(part);
    check_tables(part, locate);
    used_.add(part, locate, pass_.names());
    if (!part.has_snapshot) return;
    if (!part.has_whole_graph) {
      return sink_->skip(
          {fmt::format("/snapshots/{}", part.index), "collectables or references are missing or damaged"});
    }
    check_graph(part, locate, facts);
  }

  void check_graph(const format::SectionPart& part, const Locate& locate, const SnapshotFacts& facts) {
    const SnapshotView view{part.index, part.snapshot, facts.summary, part.after, locate, facts.graph};
    core::Tally graph(*sink_);
    pass_.demand_columns_unless(are_enough(facts, part.snapshot, part.after.strings) &&
                                facts.graph.have_childless_no_start);
    if (pass_.needs_columns()) return;
    const TablesKnown known{strings_hold_, types_known_, frames_known_};
    if (!check_reference_count(view, graph)) return faulty_.push_back(part.index);
    lost_rows_.check(view, known, graph);
    const SoundColumns sound = check_snapshot(view, lost_rows_.keep(known), graph);
    if (!graph.clean() && format::count_owned(part.snapshot.collectables) != part.snapshot.references.count())
      faulty_.push_back(part.index);
    if (sound.has_graph()) check_childless_starts(view, rules::collectables_childless_start, *sink_);
    if (sound.has_graph()) writer_.check(view, *sink_);
    const bool is_judged = part.after != model::counts_unknown;
    late_.add(view, {is_judged && strings_hold_, is_judged && types_known_, is_judged && frames_known_});
  }

  /// Handles the last part, which contains the tables that were missing after the snapshots because the rows
  /// there are damaged.
  void check_closing(const format::SectionPart& part) {
    strings_hold_ = part.strings_known;
    sink_->skip({"/strings", part.strings_known
                                 ? "rows after snapshots are damaged; the last sections replace them"
                                 : "the tables are missing"});
  }

  /// Compares the last sections with the rows after the snapshots, provided that these rows follow the rules.
  void check_last() {
    const format::SectionContainer& container = reader_.container();
    const bool is_certain = std::ranges::all_of(container.sections, [](const format::Section& section) {
      return section.kind <= format::SectionKind::references || (section.whole && section.certain);
    });
    if (rows_hold_ && is_certain) {
      return check_last_tables(container, reader_.tables(), reader_.last_tables(), *sink_);
    }
    sink_->skip({"/strings", "rows that violate rules are not compared with the last sections"});
  }

  /// Compares the sections of a part with the counts in their heads. If they differ, rows may be missing.
  /// This has already been reported, so indices into the table are not checked.
  void compare_counts(std::uint64_t part) {
    for (const format::Section& section : reader_.container().sections | std::views::reverse) {
      if (section.part != part) return;
      const bool is_counted = !section.whole || section.count == section.declared_count;
      if (section.kind == format::SectionKind::types) types_counted_ = types_counted_ && is_counted;
      if (section.kind == format::SectionKind::static_frames) frames_counted_ = frames_counted_ && is_counted;
    }
  }

  /// Whether the part's string count shows that earlier strings were lost. spec: mvmheap/v2.md#sections
  [[nodiscard]] bool has_lost_strings(const format::SectionPart& part) const {
    const auto& sections = reader_.container().sections;
    const auto found = std::ranges::find_if(sections.rbegin(), sections.rend(), [&](const auto& section) {
      return section.kind == format::SectionKind::strings || section.part != part.index;
    });
    return found != sections.rend() && found->part == part.index && found->rows_counted && found->certain &&
           found->declared_count > found->rows_before && found->declared_count != found->count;
  }

  /// Checks the rows that the part adds to the shared tables.
  void check_tables(const format::SectionPart& part, const Locate& locate) {
    if (part.after == model::counts_unknown) return;
    core::Tally rows(*sink_);
    strings_hold_ = strings_hold_ && lost_rows_.keep({}).strings && !has_lost_strings(part);
    strings_hold_ = tables_.check_part(part, strings_hold_, locate, rows);
    rows_hold_ = rows_hold_ && rows.clean();
  }

  core::Tally tally_;
  core::FindingSink* sink_;
  format::FrontReader reader_;
  TableRules tables_;
  WriterRules writer_;
  UsedRows used_;
  SnapshotPass pass_;
  LateRanges late_;
  LostRows lost_rows_;
  std::vector<std::uint64_t> faulty_;  // the snapshots whose collectables and references do not match
  bool strings_hold_ = true;
  bool rows_hold_ = true;
  bool types_known_ = true;
  bool frames_known_ = true;
  bool types_counted_ = true;
  bool frames_counted_ = true;
};

}  // namespace

CheckedDump check(core::Window& window, const Limits& limits, core::FindingSink& sink, Columns columns,
                  model::PartKeeper keeper) {
  return Check(window, limits, sink, columns).run(std::move(keeper));
}

}  // namespace heapcheck::validation::mvmheap::v2
