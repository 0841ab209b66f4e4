#include "recover/mvmheap/recover.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "convert/mvmheap/targets.hpp"
#include "formats/mvmheap/derive.hpp"
#include "formats/mvmheap/repeated_names.hpp"
#include "formats/mvmheap/summary.hpp"
#include "formats/open.hpp"
#include "recover/mvmheap/known_rows.hpp"
#include "recover/mvmheap/placeholders.hpp"
#include "validate/mvmheap/snapshot_rules.hpp"
#include "validate/mvmheap/used_rows.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

using model::Part;
using model::TableCounts;

/// Remembers the first error, and the limit that was reached, if any.
class FirstError final : public core::FindingSink {
 public:
  void report(Finding finding) override {
    if (finding.rule->stage == Stage::limit) limit_ = finding.message;
    if (finding.rule->severity == Severity::error && !error_) error_ = std::move(finding.message);
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 1; }
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  [[nodiscard]] const std::optional<std::string>& limit() const { return limit_; }

 private:
  std::optional<std::string> error_;
  std::optional<std::string> limit_;
};

const validation::mvmheap::Locate nowhere = [](validation::mvmheap::Field, std::uint64_t) {
  return Location{};
};

/// A snapshot of the damaged file, and the decision whether to keep it.
struct Candidate {
  std::uint64_t index = 0;
  Amounts amounts;   // that were read completely
  Amounts original;  // with those that are known to be missing
  bool has_meta = false;
  bool has_highscores = false;
  std::string reason;  // why it is dropped; empty if it is kept
  TableCounts needed;  // rows that its graph refers to
  TableCounts known;   // intact rows known at this snapshot; counts_unknown if the tables come later
};

bool fits(const TableCounts& needed, const TableCounts& known) {
  return needed.strings <= known.strings && needed.types <= known.types &&
         needed.static_frames <= known.static_frames;
}

TableCounts smaller(const TableCounts& a, const TableCounts& b) {
  return {std::min(a.strings, b.strings), std::min(a.types, b.types),
          std::min(a.static_frames, b.static_frames)};
}

/// Returns the reason why the graph of a part cannot be kept, or an empty string if it can. Ignores whether
/// its names are known.
std::string find_graph_fault(const Part& part, bool placeholder_names) {
  if (!part.has_whole_graph) return part.is_cut ? "the file ends inside it" : "the graph is incomplete";
  FirstError sink;
  const model::Summary summary = model::summarise(part.snapshot.collectables, {});
  if (summary.byte_count == UINT64_MAX) return "the sizes add up to 2^64 bytes or more";
  validation::mvmheap::check_snapshot({part.index, part.snapshot, summary, {}, nowhere},
                                      {false, false, false}, sink);
  if (sink.error()) return *sink.error();
  if (!part.is_cut || placeholder_names) return {};
  return "the file ends inside it; --placeholder-names keeps the graph";
}

/// The amounts in the snapshot of a part. If its graph is incomplete, the longest column and the metadata
/// show most of them.
Amounts count_rows(const Part& part) {
  Amounts amounts{1, part.snapshot.collectables.count(), part.snapshot.references.count()};
  if (part.has_whole_graph) return amounts;
  const auto& [kind, index, size, unmanaged_size, refs_start, num_refs] = part.snapshot.collectables;
  amounts.collectables = std::max({kind.count(), index.count(), size.count(), unmanaged_size.count(),
                                   refs_start.count(), num_refs.count()});
  const model::References& references = part.snapshot.references;
  amounts.references = std::max(references.description.count(), references.target.count());
  amounts.is_all_collectables = false;
  amounts.is_all_references = part.meta && part.meta->total_refs >= amounts.references;
  if (amounts.is_all_references) amounts.references = part.meta->total_refs;
  return amounts;
}

/// The decisions made during the first reading.
struct Plan {
  std::optional<std::uint64_t> declared_snapshots;
  std::vector<Candidate> snapshots;
  conversion::mvmheap::Survey survey;  // `seen` has an element for each kept snapshot
  TableCounts placeholders;
  TableCounts rows;  // without the note on lost snapshots
};

Amounts add_up(const std::vector<Candidate>& snapshots) {
  Amounts all;
  for (const Candidate& snapshot : snapshots) all += snapshot.amounts;
  return all;
}

/// Puts placeholders into the tables, instead of lost rows and up to the lengths in `needed`.
void repair_tables(Plan& plan, const KnownRows& known, const TableCounts& needed) {
  model::Tables& tables = plan.survey.tables;
  const TableCounts before = known.counts();
  const LostRows& lost = known.lost();
  tables.truncate(before);
  if (lost.count() != 0) replace_rows(tables, lost);
  add_placeholders(tables, needed);
  const TableCounts after = tables.counts();
  plan.placeholders = {after.strings - before.strings + lost.strings.size(),
                       after.types - before.types + lost.types.size(),
                       after.static_frames - before.static_frames + lost.static_frames.size()};
}

/// Notes in the tables how many snapshots are left out if nothing else uses some of their rows. Otherwise,
/// the unused rows of the result would look like damage.
void note_lost_snapshots(Plan& plan, validation::mvmheap::UsedRows& used) {
  const auto lost =
      std::ranges::count_if(plan.snapshots, [](const Candidate& s) { return !s.reason.empty(); });
  if (lost == 0 || plan.survey.seen.empty() || plan.placeholders != TableCounts{}) return;
  model::Tables& tables = plan.survey.tables;
  Part rows;
  rows.after = plan.rows;
  used.add_rows(rows);
  // `used` includes what the snapshots use that are left out because of their names.
  const bool lacks_names = std::ranges::any_of(
      plan.snapshots, [](const Candidate& s) { return !s.reason.empty() && s.needed != TableCounts{}; });
  if (!lacks_names && !used.has_unused()) return;
  add_lost_snapshots(tables, static_cast<std::uint64_t>(lost));
  plan.survey.seen.back() = tables.counts();
}

void choose(Plan& plan, const KnownRows& known, const RecoverOptions& options) {
  TableCounts needed = known.counts();
  bool uses_placeholders = false;
  // If one snapshot has no rows after it, the tables of the file come after all snapshots.
  const bool tables_at_end =
      std::ranges::find(plan.snapshots, model::counts_unknown, &Candidate::known) != plan.snapshots.end();
  const Amounts all = add_up(plan.snapshots);
  for (Candidate& snapshot : plan.snapshots) {
    snapshot.known = smaller(snapshot.known, known.counts());
    if (!snapshot.reason.empty() || fits(snapshot.needed, snapshot.known)) continue;
    if (!are_plausible(snapshot.needed, all.collectables, all.references)) {
      snapshot.reason = "its graph refers to more names than a dump of this size can have";
    } else if (!options.placeholder_names && !tables_at_end) {
      snapshot.reason = "names are lost; --placeholder-names keeps the graph";
    } else {
      uses_placeholders = true;
      needed = {std::max(needed.strings, snapshot.needed.strings),
                std::max(needed.types, snapshot.needed.types),
                std::max(needed.static_frames, snapshot.needed.static_frames)};
    }
  }
  // Placeholders need strings that no snapshot knew.
  uses_placeholders = uses_placeholders || known.has_filled_strings() || !known.lost().types.empty() ||
                      !known.lost().static_frames.empty();
  repair_tables(plan, known, needed);
  for (const Candidate& snapshot : plan.snapshots) {
    if (!snapshot.reason.empty()) continue;
    plan.survey.metas += snapshot.has_meta ? 1U : 0U;
    plan.survey.highscores += snapshot.has_highscores ? 1U : 0U;
    plan.survey.seen.push_back(uses_placeholders ? plan.survey.tables.counts() : snapshot.known);
  }
}

/// Returns whether a part without a snapshot has all rows of the tables. This is the case at the end of a
/// version 2 file if rows after snapshots are damaged.
bool replaces_tables(const Part& part) {
  return !part.has_snapshot && part.index != 0 && part.before == TableCounts{} && part.strings_known;
}

/// The number of strings to which the rows of the tables and the sound snapshots refer.
std::uint64_t count_needed_strings(const Plan& plan) {
  const model::Tables& tables = plan.survey.tables;
  std::uint64_t needed = model::find_needed_strings(tables, {}, tables.counts());
  for (const Candidate& snapshot : plan.snapshots) needed = std::max(needed, snapshot.needed.strings);
  return needed;
}

/// Removes names that a doubled part of the file added, if as many are left as are needed: MoarVM adds a
/// string only when something refers to it.
void drop_repeated_names(Plan& plan, KnownRows& known, const RecoverOptions& options) {
  model::Tables& tables = plan.survey.tables;
  const auto names = model::find_repeated_names(tables.strings);
  if (!names || count_needed_strings(plan) != tables.strings.count() - names->count) return;
  tables.strings = model::remove_names(tables.strings, *names);
  known = KnownRows(tables, options.is_damaged);
  known.add_all(tables.counts());
  for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
}

/// Uses the rows that are repeated at the end of the file if more rows are intact there than after the
/// snapshots.
void take_repeated_rows(const model::DumpReader& reader, Plan& plan, KnownRows& known) {
  const model::Tables* repeated = reader.repeated_tables();
  if (repeated == nullptr) return;
  if (known.counts() == reader.tables().counts() && known.lost().count() == 0) return;
  KnownRows all(*repeated, true);
  all.add_all(repeated->counts());
  const bool has_as_many = all.counts() == known.counts();
  if (!fits(known.counts(), all.counts())) return;
  if (has_as_many && all.lost().count() >= known.lost().count()) return;
  known = all;
  plan.survey.tables = *repeated;
  if (has_as_many) return;
  for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
}

Plan make_plan(model::DumpReader& reader, const RecoverOptions& options) {
  Plan plan;
  KnownRows known(reader.tables(), options.is_damaged, options.placeholder_names);
  validation::mvmheap::UsedRows used(plan.survey.tables);
  while (const Part* part = reader.read_part()) {
    if (replaces_tables(*part)) {
      known = KnownRows(reader.tables(), options.is_damaged);
      for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
    }
    known.add(*part);
    if (!part->has_snapshot) continue;
    Candidate snapshot;
    snapshot.index = part->index;
    snapshot.has_meta = part->meta.has_value();
    snapshot.has_highscores = part->highscores.ids.count() != 0;
    snapshot.reason = find_graph_fault(*part, options.placeholder_names);
    snapshot.known = known.counts();
    snapshot.amounts = {1, part->snapshot.collectables.count(), part->snapshot.references.count()};
    snapshot.original = count_rows(*part);
    if (part->after == model::counts_unknown) snapshot.known = model::counts_unknown;
    if (snapshot.reason.empty()) {
      snapshot.needed = find_needed_rows(part->snapshot);
      used.add_snapshot(part->snapshot);
    }
    plan.snapshots.push_back(std::move(snapshot));
  }
  plan.declared_snapshots = reader.declared_snapshots();
  plan.survey.tables = reader.tables();
  drop_repeated_names(plan, known, options);
  take_repeated_rows(reader, plan, known);
  if (const auto* meta = reader.file_meta()) {
    plan.survey.file_meta = *meta;
    plan.survey.has_file_meta = true;
  }
  choose(plan, known, options);
  plan.rows = plan.survey.tables.counts();
  note_lost_snapshots(plan, used);
  return plan;
}

/// Makes the metadata of kept snapshots valid: computes totals and highscores from the graph, and keeps the
/// times unless they run backwards.
class MetaRepair {
 public:
  MetaRepair(model::FileMeta& file_meta, const Limits& limits) : file_meta_(&file_meta), limits_(&limits) {
    constexpr std::uint64_t most_places = 10'000;
    if (file_meta.entry_count > most_places) file_meta = {};
    file_meta.subversion = model::FileMeta{}.subversion;  // the one that is always written
  }

  Result<void> repair(Part& part) {
    const model::Summary summary = model::summarise(part.snapshot.collectables, part.after);
    model::SnapshotMeta meta = model::make_snapshot_meta(part.snapshot, summary);
    const model::SnapshotMeta found = part.meta.value_or(last_);
    const std::uint64_t uncounted = model::count_stack_frames(part.snapshot.collectables, summary);
    if (found.total_frames <= meta.total_frames && meta.total_frames - found.total_frames <= uncounted)
      meta.total_frames = found.total_frames;
    meta.snap_time = std::max({found.snap_time, last_.snap_time, file_meta_->start_time});
    meta.gc_seq_num = std::max(found.gc_seq_num, last_.gc_seq_num);
    const bool is_other = part.meta != meta;
    rebuilt_ += is_other ? 1U : 0U;
    replaced_ += is_other && part.meta ? 1U : 0U;
    part.meta = last_ = meta;
    auto highscores = model::make_highscores(summary, *file_meta_, *limits_);
    if (!highscores) return std::unexpected(std::move(highscores.error()));
    part.highscores = std::move(*highscores);
    return {};
  }
  [[nodiscard]] std::uint64_t rebuilt() const { return rebuilt_; }
  [[nodiscard]] std::uint64_t replaced() const { return replaced_; }

 private:
  model::FileMeta* file_meta_;
  const Limits* limits_;
  model::SnapshotMeta last_;
  std::uint64_t rebuilt_ = 0;
  std::uint64_t replaced_ = 0;
};

Result<void> write_kept(model::DumpReader& reader, const Plan& plan, const model::Capacity& capacity,
                        MetaRepair& metas, model::DumpWriter& writer) {
  const model::Tables& tables = plan.survey.tables;
  std::size_t snapshot = 0;
  std::uint64_t written = 0;
  while (Part* part = reader.read_part()) {
    if (!part->has_snapshot || snapshot == plan.snapshots.size()) continue;
    if (!plan.snapshots[snapshot++].reason.empty()) continue;
    part->after = capacity.holds_table_growth ? plan.survey.seen[written] : tables.counts();
    part->index = written++;
    if (capacity.holds_metas) {
      if (auto repaired = metas.repair(*part); !repaired) return repaired;
    }
    if (auto wrote = writer.write_part(*part, tables); !wrote) return wrote;
  }
  if (snapshot != plan.snapshots.size())
    return std::unexpected(Error{ErrorKind::unreadable, "changed while it was being read"});
  return writer.finish(tables);
}

/// Counts the snapshots that are dropped. If damage splits a snapshot in two, more are found than the file
/// states; if one is not found, it is unknown what was in it.
void count_dropped(const Plan& plan, Recovery& recovery) {
  const std::uint64_t all =
      std::max(plan.declared_snapshots.value_or(plan.snapshots.size()), recovery.kept.snapshots);
  const std::uint64_t most = all - recovery.kept.snapshots;
  for (const Candidate& snapshot : plan.snapshots) {
    if (snapshot.reason.empty() || recovery.dropped_snapshots.size() == most) continue;
    recovery.dropped += snapshot.original;
    recovery.dropped_snapshots.push_back({snapshot.index, snapshot.reason});
  }
  recovery.dropped.snapshots = most;
  if (most == recovery.dropped_snapshots.size()) return;
  recovery.dropped.is_all_collectables = recovery.dropped.is_all_references = false;
}

Recovery describe(const Plan& plan) {
  Recovery recovery;
  for (const Candidate& snapshot : plan.snapshots) {
    if (snapshot.reason.empty()) recovery.kept += snapshot.amounts;
  }
  count_dropped(plan, recovery);
  recovery.rows = plan.rows;
  recovery.placeholders = plan.placeholders;
  return recovery;
}

/// Returns the reason, other than damage, why a part of the dump could not be read.
std::optional<Error> find_obstacle(const formats::OpenedDump& dump, const FirstError& sink) {
  if (const auto error = dump.error(); error && error->kind != ErrorKind::damaged) return error;
  if (sink.limit()) return Error{ErrorKind::limit, *sink.limit()};
  return std::nullopt;
}

/// The second reading: writes the snapshots that `plan` keeps, and records the changes in `recovery`.
Result<void> write_plan(const formats::RereadableDump& dump, Plan& plan, const RecoverOptions& options,
                        core::ByteSink& out, Recovery& recovery) {
  FirstError sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(std::move(opened.error()));
  const model::WrittenLayout& layout = conversion::mvmheap::layout_of(recovery.target);
  MetaRepair metas(plan.survey.file_meta, options.limits);
  const auto writer = layout.make_writer(out, plan.survey.file_meta, options.write);
  auto wrote = write_kept(*opened->reader, plan, layout.capacity, metas, *writer);
  if (!wrote) return wrote;
  if (const auto error = opened->error(); error && error->kind != ErrorKind::damaged)
    return std::unexpected(*error);
  recovery.rebuilt_metas = metas.rebuilt();
  recovery.replaced_metas = metas.replaced();
  return {};
}

}  // namespace

Result<Recovery> recover(const formats::RereadableDump& dump, const RecoverOptions& options,
                         core::ByteSink& out) {
  FirstError sink;
  auto opened = dump.open(sink);
  if (!opened) return std::unexpected(std::move(opened.error()));
  Plan plan = make_plan(*opened->reader, options);
  if (auto obstacle = find_obstacle(*opened, sink)) return std::unexpected(std::move(*obstacle));
  Recovery recovery = describe(plan);
  recovery.target = options.target.value_or(conversion::mvmheap::usual_target(opened->format, plan.survey));
  const bool is_damaged = options.is_damaged || sink.error();
  if (recovery.kept.snapshots == 0 && (!plan.snapshots.empty() || is_damaged)) return recovery;
  recovery.losses =
      conversion::mvmheap::find_losses(plan.survey, conversion::mvmheap::layout_of(recovery.target).capacity);
  recovery.is_refused = options.target && !options.allow_loss && !recovery.losses.empty();
  if (recovery.is_refused) return recovery;
  opened->reader.reset();  // puts back the dump that was kept in memory
  if (auto wrote = write_plan(dump, plan, options, out, recovery); !wrote)
    return std::unexpected(std::move(wrote.error()));
  return recovery;
}

}  // namespace heapcheck::recovery::mvmheap
