#include "recover/mvmheap/plan.hpp"

#include <algorithm>
#include <utility>

#include "formats/core/finding_sink.hpp"
#include "formats/mvmheap/string_table.hpp"
#include "formats/mvmheap/summary.hpp"
#include "recover/mvmheap/known_rows.hpp"
#include "recover/mvmheap/placeholders.hpp"
#include "validate/mvmheap/rules.hpp"
#include "validate/mvmheap/used_rows.hpp"
#include "validate/mvmheap/writer_rules.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

using model::Part;
using model::TableCounts;

const validation::mvmheap::Locate nowhere = [](validation::mvmheap::Field, std::uint64_t) {
  return Location{};
};

bool fits(const TableCounts& needed, const TableCounts& known) {
  return needed.strings <= known.strings && needed.types <= known.types &&
         needed.static_frames <= known.static_frames;
}

/// Checks the part's graph if it is complete. If the graph cannot be kept, records the reason in `snapshot`.
/// Does not consider whether the snapshot's names are known. A warning shows that a number in the graph was
/// changed.
void check_graph(const Part& part, Candidate& snapshot) {
  FirstError sink;
  const auto facts = validation::mvmheap::find_facts(part.snapshot, {}, model::Shares::none);
  const validation::mvmheap::SnapshotView view{part.index, part.snapshot, facts.summary,
                                               {},         nowhere,       facts.graph};
  validation::mvmheap::check_snapshot(view, {false, false, false}, sink);
  if (!sink.error()) validation::mvmheap::check_root_counts(view, sink);
  if (facts.summary.byte_count == UINT64_MAX) snapshot.reason = "the sizes add up to 2^64 bytes or more";
  if (sink.error() || sink.warning()) snapshot.reason = sink.error().value_or(sink.warning().value_or(""));
  if (!snapshot.reason.empty()) return;
  const auto name = validation::mvmheap::guess_stable_name(part.snapshot);
  if (!name) return;
  if (auto wrong = validation::mvmheap::find_wrong_stable(view, *name))
    snapshot.wrong_stable = {*name, std::move(wrong->message)};
}

/// Whether the format to be written requires the targets that the references lack.
bool lacks_targets(const Part& part, const RecoverOptions& options) {
  return !part.snapshot.references.has_targets && options.target &&
         !conversion::mvmheap::layout_of(*options.target).capacity.holds_missing_targets;
}

/// If the graph of a part cannot be kept, records the reason in `snapshot`.
void find_graph_fault(const Part& part, const RecoverOptions& options, Candidate& snapshot) {
  if (!part.has_whole_graph) {
    snapshot.reason = part.is_cut ? "the file ends inside it" : "the graph is incomplete";
    return;
  }
  check_graph(part, snapshot);
  if (snapshot.reason.empty() && lacks_targets(part, options))
    snapshot.reason = "the file does not contain the targets of references";
  if (snapshot.reason.empty() && part.is_cut && !options.placeholder_names)
    snapshot.reason = "the file ends inside it; --placeholder-names keeps the graph";
}

/// Drops the snapshots that have a wrong reference to an STable. The name of such references may come after
/// the snapshot.
void drop_wrong_stables(Plan& plan) {
  const model::StringTable& strings = plan.survey.tables.strings;
  for (Candidate& snapshot : plan.snapshots) {
    if (!snapshot.reason.empty() || snapshot.wrong_stable.message.empty()) continue;
    const std::uint64_t name = snapshot.wrong_stable.name;
    if (name < strings.count() && strings[model::StringIndex{name}] == validation::mvmheap::stable_name)
      snapshot.reason = snapshot.wrong_stable.message;
  }
}

/// The amounts of content in the snapshot of a part. If its graph is incomplete, most of the amounts are
/// taken from the longest column and the metadata.
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

Candidate make_candidate(const Part& part, const TableCounts& known, const RecoverOptions& options) {
  Candidate snapshot;
  snapshot.index = part.index;
  snapshot.has_meta = part.meta.has_value();
  snapshot.has_highscores = part.highscores.ids.count() != 0;
  find_graph_fault(part, options, snapshot);
  snapshot.known = part.after == model::counts_unknown ? model::counts_unknown : known;
  snapshot.amounts = {1, part.snapshot.collectables.count(), part.snapshot.references.count()};
  snapshot.original = count_rows(part);
  if (!snapshot.reason.empty()) return snapshot;
  snapshot.needed = find_needed_rows(part.snapshot);
  snapshot.without_largest = find_rows_but_largest(part.snapshot);
  return snapshot;
}

Amounts add_up(const std::vector<Candidate>& snapshots) {
  Amounts all;
  for (const Candidate& snapshot : snapshots) all += snapshot.amounts;
  return all;
}

/// Puts placeholders into the tables, both for lost rows and to extend the tables to the lengths in `needed`.
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

/// If some rows were used only by snapshots that are left out, adds the number of these snapshots to the
/// tables, because otherwise the unused rows in the result would look like damage.
void note_lost_snapshots(Plan& plan, validation::mvmheap::UsedRows& used) {
  const auto lost =
      std::ranges::count_if(plan.snapshots, [](const Candidate& s) { return !s.reason.empty(); });
  if (lost == 0 || plan.survey.seen.empty() || plan.placeholders != TableCounts{}) return;
  model::Tables& tables = plan.survey.tables;
  Part rows;
  rows.after = plan.rows;
  used.add_rows(rows);
  // `used` includes the rows used by snapshots that are left out because of their names.
  const bool lacks_names = std::ranges::any_of(
      plan.snapshots, [](const Candidate& s) { return !s.reason.empty() && s.needed != TableCounts{}; });
  if (!lacks_names && !used.has_unused()) return;
  add_lost_snapshots(tables, static_cast<std::uint64_t>(lost));
  plan.survey.seen.back() = tables.counts();
}

/// Whether a single index in the dump is far beyond the end of its table. If the rows up to that index had
/// been lost, other indices would refer to them.
bool has_damaged_index(const Plan& plan, const Candidate& snapshot, const TableCounts& known) {
  for (const auto table : {&TableCounts::types, &TableCounts::static_frames}) {
    const auto exceeds = [&](const Candidate& other) { return other.needed.*table > known.*table; };
    if (snapshot.needed.*table > known.*table + 1 && snapshot.without_largest.*table <= known.*table &&
        std::ranges::count_if(plan.snapshots, exceeds) == 1)
      return true;
  }
  return false;
}

void choose(Plan& plan, const KnownRows& known, const RecoverOptions& options) {
  TableCounts needed = known.counts();
  bool uses_placeholders = false;
  // If any snapshot has no rows after it, the tables of the file come after all snapshots.
  const bool tables_at_end =
      std::ranges::find(plan.snapshots, model::counts_unknown, &Candidate::known) != plan.snapshots.end();
  const Amounts all = add_up(plan.snapshots);
  for (Candidate& snapshot : plan.snapshots) {
    snapshot.known = min(snapshot.known, known.counts());
    if (!snapshot.reason.empty() || fits(snapshot.needed, snapshot.known)) continue;
    if (!are_plausible(snapshot.needed, all.collectables, all.references)) {
      snapshot.reason = "its graph refers to more names than a dump of this size can have";
    } else if (has_damaged_index(plan, snapshot, known.counts())) {
      snapshot.reason = "an index in its graph is far beyond the end of its table";
    } else if (!options.placeholder_names && !tables_at_end) {
      snapshot.reason = "names are lost; --placeholder-names keeps the graph";
    } else {
      uses_placeholders = true;
      needed = {std::max(needed.strings, snapshot.needed.strings),
                std::max(needed.types, snapshot.needed.types),
                std::max(needed.static_frames, snapshot.needed.static_frames)};
    }
  }
  // Placeholders need strings that were not known to any snapshot.
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

/// Removes names that were added by a doubled part of the file, if the number of remaining names is the
/// number that is needed. MoarVM adds a string only when something refers to it.
void drop_repeated_names(Plan& plan, KnownRows& known, const RecoverOptions& options) {
  model::Tables& tables = plan.survey.tables;
  const auto names = model::find_repeated_names(tables.strings);
  if (!names || count_needed_strings(plan) != tables.strings.count() - names->count) return;
  tables.strings = model::remove_names(tables.strings, *names);
  known = KnownRows(tables, options.is_damaged);
  known.add_all(tables.counts());
  for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
}

/// Accepts strings if the number that was read is the number that is needed, although the ends of `guessed`
/// strings were guessed. MoarVM adds a string only when something refers to it, so each of the other strings
/// has its correct index.
void accept_guessed_strings(Plan& plan, KnownRows& known, const RecoverOptions& options,
                            const std::vector<std::uint64_t>& guessed) {
  const model::Tables& tables = plan.survey.tables;
  if (guessed.empty() || count_needed_strings(plan) != tables.strings.count()) return;
  known = KnownRows(tables, options.is_damaged);
  known.add_all(tables.counts());
  known.lose_strings(guessed);
  for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
}

/// If some strings are missing from a file that does not count its strings, discards all strings, because it
/// is unknown which ones are missing, and all later strings have wrong indices.
void forget_shifted_strings(const Plan& plan, KnownRows& known, validation::mvmheap::UsedRows used,
                            const RecoverOptions& options) {
  Part all;
  all.after = plan.survey.tables.counts();
  used.add_rows(all);
  if (!used.lacks_strings()) return;
  all.strings_known = false;
  known = KnownRows(plan.survey.tables, options.is_damaged);
  known.add(all);
}

/// Whether the rows known at each snapshot refer only to strings known at that snapshot.
bool fits_growth(const model::Tables& tables, const std::vector<Candidate>& snapshots) {
  TableCounts before;
  for (const Candidate& snapshot : snapshots) {
    const TableCounts& known = snapshot.known;
    if (!fits(known, tables.counts()) || model::find_needed_strings(tables, before, known) > known.strings)
      return false;
    before = known;
  }
  return true;
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
  if (has_as_many && fits_growth(*repeated, plan.snapshots)) return;
  for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
}

}  // namespace

Plan make_plan(model::DumpReader& reader, const RecoverOptions& options) {
  Plan plan;
  KnownRows known(reader.tables(), options.is_damaged, options.placeholder_names);
  validation::mvmheap::UsedRows used(plan.survey.tables);
  std::vector<std::uint64_t> guessed;
  bool are_strings_counted = true;
  while (const Part* part = reader.read_part()) {
    if (replaces_tables(*part)) {
      known = KnownRows(reader.tables(), options.is_damaged);
      for (Candidate& snapshot : plan.snapshots) snapshot.known = model::counts_unknown;
    }
    known.add(*part);
    are_strings_counted = part->are_strings_counted;
    guessed.insert(guessed.end(), part->guessed_strings.begin(), part->guessed_strings.end());
    if (!part->has_snapshot) continue;
    plan.snapshots.push_back(make_candidate(*part, known.counts(), options));
    if (plan.snapshots.back().reason.empty()) used.add_snapshot(part->snapshot);
  }
  plan.declared_snapshots = reader.declared_snapshots();
  plan.survey.tables = reader.tables();
  // The number of names that the snapshots need is not known before this point. It shows whether names are
  // repeated or shifted.
  drop_repeated_names(plan, known, options);
  accept_guessed_strings(plan, known, options, guessed);
  if (!are_strings_counted) forget_shifted_strings(plan, known, used, options);
  take_repeated_rows(reader, plan, known);
  if (const auto* meta = reader.file_meta()) {
    plan.survey.file_meta = *meta;
    plan.survey.has_file_meta = true;
  }
  drop_wrong_stables(plan);
  choose(plan, known, options);
  plan.rows = plan.survey.tables.counts();
  note_lost_snapshots(plan, used);
  return plan;
}

}  // namespace heapcheck::recovery::mvmheap
