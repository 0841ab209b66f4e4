#include "validate/mvmheap/v3/meta_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/mvmheap/summary.hpp"
#include "validate/mvmheap/v3/places.hpp"

namespace heapcheck::validation::mvmheap::v3 {
namespace {

using format::BlockKind;
using model::CollectableKind;
using model::HighscoreList;
using model::SnapshotMeta;

constexpr std::size_t lists = model::highscore_names.size();

/// A total that differs from the one computed from the columns.
struct WrongTotal {
  std::size_t field;  ///< in snapshot_meta_fields
  std::uint64_t found;
  std::uint64_t expected;
};

/// Whether the total can be computed from sound columns. All objects are counted by their kinds.
bool is_comparable(std::uint64_t SnapshotMeta::* total, const SoundColumns& sound) {
  if (total == &SnapshotMeta::total_heap_size) return sound.sizes;
  return sound.kinds || total == &SnapshotMeta::total_refs;
}

std::vector<WrongTotal> compare_totals(const PartView& view, const SoundColumns& sound) {
  SnapshotMeta expected = model::make_snapshot_meta(view.part.snapshot, view.summary);
  expected.snap_time = view.part.meta->snap_time;
  expected.gc_seq_num = view.part.meta->gc_seq_num;
  const std::uint64_t uncounted = model::count_stack_frames(view.part.snapshot.collectables, view.summary);
  std::vector<WrongTotal> wrong;
  for (std::size_t i = 0; i < model::snapshot_meta_fields.size(); ++i) {
    const auto member = model::snapshot_meta_fields[i].member;
    if (!is_comparable(member, sound)) continue;
    const std::uint64_t found = (*view.part.meta).*member;
    const bool may_be_lower = member == &SnapshotMeta::total_frames;
    const bool overflowed = member == &SnapshotMeta::total_heap_size && expected.*member == UINT64_MAX;
    if (found == expected.*member && !overflowed) continue;
    if (may_be_lower && found < expected.*member && expected.*member - found <= uncounted) continue;
    wrong.push_back({i, found, expected.*member});
  }
  return wrong;
}

std::string path_of(const PartView& view, const WrongTotal& total) {
  return fmt::format("/snapshots/{}/snapmeta/{}", view.part.index,
                     model::snapshot_meta_fields[total.field].name);
}

Location locate_total(const PartView& view, const WrongTotal& total) {
  return {view.part.meta_places[total.field], std::nullopt, path_of(view, total)};
}

/// The column that is to blame if both totals and highscores disagree with the columns.
BlockKind blame_column(const std::vector<WrongTotal>& totals) {
  const WrongTotal& first = totals.front();
  if (model::snapshot_meta_fields[first.field].member != &SnapshotMeta::total_heap_size)
    return BlockKind::colkind;
  if (totals.size() > 1) return BlockKind::colkind;
  constexpr std::uint64_t most_size = 0xFFFF;
  const std::uint64_t difference =
      std::max(first.found, first.expected) - std::min(first.found, first.expected);
  return difference > most_size ? BlockKind::colusize : BlockKind::colsize;
}

std::string describe(const WrongTotal& total) {
  return fmt::format("{} is {}, expected {}, computed from the columns",
                     model::snapshot_meta_fields[total.field].name, total.found, total.expected);
}

/// Reports all wrong totals as one finding. If there is only one, the finding is at that total; otherwise, it
/// is at the column that makes several totals wrong at once.
void report_totals(const PartView& view, const std::vector<WrongTotal>& totals, bool columns_to_blame,
                   core::FindingSink& sink) {
  const bool one_value = totals.size() == 1 && !columns_to_blame;
  Finding finding{&rules::snapmeta_totals,
                  one_value ? locate_total(view, totals.front())
                            : locate_block(view.container, view.part, blame_column(totals)),
                  describe(totals.front())};
  for (std::size_t i = one_value ? 1 : 0; i < totals.size(); ++i) {
    finding.related.push_back({locate_total(view, totals[i]), describe(totals[i])});
  }
  sink.report(std::move(finding));
}

std::string highscore_path(const PartView& view, const HighscoreMismatch& mismatch) {
  return fmt::format("/snapshots/{}/highscores/{}/{}/{}", view.part.index,
                     model::highscore_names[static_cast<std::size_t>(mismatch.list)], mismatch.place,
                     mismatch.is_id ? "id" : "score");
}

Location locate_mismatch(const PartView& view, const HighscoreMismatch& mismatch) {
  Location location = locate_value(view.container, view.part,
                                   mismatch.is_id ? BlockKind::top_ids : BlockKind::topscore, mismatch.row);
  location.path = highscore_path(view, mismatch);
  return location;
}

/// Returns whether both lists of types or both lists of frames differ. If so, it is a column that is wrong
/// and not a list.
bool differs_in_count_and_size(const std::vector<HighscoreMismatch>& mismatches) {
  const auto has = [&](HighscoreList list) {
    return std::ranges::count(mismatches, list, &HighscoreMismatch::list) != 0;
  };
  return (has(HighscoreList::types_by_count) && has(HighscoreList::types_by_size)) ||
         (has(HighscoreList::frames_by_count) && has(HighscoreList::frames_by_size));
}

void report_mismatches(const PartView& view, const std::vector<HighscoreMismatch>& mismatches,
                       core::FindingSink& sink) {
  const bool column = differs_in_count_and_size(mismatches);
  Finding finding{&rules::highscores_mismatch,
                  column ? locate_block(view.container, view.part, BlockKind::coltofi)
                         : locate_mismatch(view, mismatches.front()),
                  mismatches.front().message};
  for (std::size_t i = column ? 0 : 1; i < mismatches.size(); ++i) {
    finding.related.push_back({locate_mismatch(view, mismatches[i]), mismatches[i].message});
  }
  sink.report(std::move(finding));
}

/// Makes the finding for a filemeta entry_count that differs from the length of the lists.
Finding make_wrong_entry_count(const PartView& view, std::uint64_t places, std::uint64_t expected) {
  return {&rules::highscores_length,
          {view.file_places.entry_count, std::nullopt, "/filemeta/highscore_structure/entry_count"},
          fmt::format("entry_count is {}, expected {}, the number of entries per list in topIDs and topscore",
                      places, expected)};
}

/// Makes the finding for a column that does not contain all lists.
Finding make_wrong_column(const PartView& view, std::uint64_t places) {
  const std::uint64_t ids = view.part.highscores.ids.count();
  const bool blame_ids = ids / lists != places || ids % lists != 0;
  const std::uint64_t count = blame_ids ? ids : view.part.highscores.scores.count();
  return {&rules::highscores_length,
          locate_block(view.container, view.part, blame_ids ? BlockKind::top_ids : BlockKind::topscore),
          fmt::format("column has {}, expected {} lists of {}", core::counted(count, "value"), lists,
                      core::counted(places, "entry"))};
}

/// The number of entries in each list, if the two columns and filemeta agree on that number.
std::optional<std::uint64_t> check_length(const PartView& view, bool& reported, core::FindingSink& sink) {
  if (!view.part.is_whole(BlockKind::top_ids) || !view.part.is_whole(BlockKind::topscore))
    return std::nullopt;
  const std::uint64_t ids = view.part.highscores.ids.count();
  const bool agree = ids == view.part.highscores.scores.count() && ids % lists == 0;
  const std::uint64_t places = view.file_meta != nullptr ? view.file_meta->entry_count : ids / lists;
  if (agree && ids / lists == places) return places;
  if (reported) return std::nullopt;
  reported = agree;
  sink.report(agree ? make_wrong_entry_count(view, places, ids / lists) : make_wrong_column(view, places));
  return std::nullopt;
}

constexpr std::array<HighscoreList, lists> usual_order{
    HighscoreList::types_by_count, HighscoreList::frames_by_count, HighscoreList::types_by_size,
    HighscoreList::frames_by_size};

/// Reports, as a note, frames on the call stack that total_frames does not count.
void check_uncounted_frames(const PartView& view, core::FindingSink& sink) {
  const std::uint64_t frames = view.summary.count_of(CollectableKind::frame);
  if (!view.part.meta || view.part.meta->total_frames == frames) return;
  const std::size_t field = model::field_index(&SnapshotMeta::total_frames);
  sink.report({&rules::snapmeta_uncounted_frames, locate_total(view, {field, 0, 0}),
               fmt::format("total_frames is {}, expected {}, including the frames on the call stack",
                           view.part.meta->total_frames, frames)});
}

}  // namespace

HighscoreComparison MetaRules::check_lists(const PartView& view, core::FindingSink& sink) {
  if (!view.part.types_known || !view.part.frames_known) return {};
  const auto places = check_length(view, length_reported_, sink);
  if (!places) return {};
  const auto compare = [&](std::span<const HighscoreList> order) {
    return compare_highscores(view.part.highscores, view.summary, order, *places);
  };
  const auto order =
      view.file_meta != nullptr ? std::span(view.file_meta->data_order) : std::span(usual_order);
  HighscoreComparison comparison = compare(order);
  if (comparison.mismatches.empty() || std::ranges::equal(order, usual_order) ||
      !compare(usual_order).mismatches.empty())
    return comparison;
  // The lists are correct in the usual order, so data_order is wrong. All snapshots share data_order.
  if (!order_reported_) {
    sink.report(
        {&rules::highscores_mismatch,
         {view.file_places.data_order, std::nullopt, "/filemeta/highscore_structure/data_order"},
         "data_order differs from the order of the lists in topIDs and topscore, expected the same order"});
  }
  order_reported_ = true;
  comparison.mismatches.clear();
  return comparison;
}

void MetaRules::check_snapshot(const PartView& view, const SoundColumns& sound, core::FindingSink& sink) {
  const auto totals = view.part.meta ? compare_totals(view, sound) : std::vector<WrongTotal>{};
  HighscoreComparison highscores = check_lists(view, sink);
  if (!sound.kinds || !sound.indices || !sound.sizes) {
    sink.skip({fmt::format("/snapshots/{}/highscores", view.part.index),
               "highscores depend on collectables that violate rules"});
    highscores = {};
  }
  if (!totals.empty()) return report_totals(view, totals, !highscores.mismatches.empty(), sink);
  if (sound.kinds) check_uncounted_frames(view, sink);
  if (!highscores.mismatches.empty()) return report_mismatches(view, highscores.mismatches, sink);
  if (highscores.filler_row) {
    sink.report({&rules::highscores_filler,
                 locate_value(view.container, view.part, BlockKind::topscore, *highscores.filler_row),
                 "found a score in an unused entry, expected 0"});
  }
}

void MetaRules::add_times(const format::BlockPart& part) {
  if (!part.meta) return;
  const auto path = [&](std::string_view name) {
    return fmt::format("/snapshots/{}/snapmeta/{}", part.index, name);
  };
  times_.push_back({part.meta->snap_time, part.meta_places[model::field_index(&SnapshotMeta::snap_time)],
                    path("snap_time")});
  collections_.push_back({part.meta->gc_seq_num,
                          part.meta_places[model::field_index(&SnapshotMeta::gc_seq_num)],
                          path("gc_seq_num")});
}

void MetaRules::check_times(const model::FileMeta* file_meta, const format::FileMetaPlaces& places,
                            core::FindingSink& sink) const {
  std::vector<Moment> times;
  if (file_meta != nullptr)
    times.push_back({file_meta->start_time, places.start_time, "/filemeta/start_time"});
  times.insert(times.end(), times_.begin(), times_.end());
  check_order(times, rules::snapmeta_time_order, sink);
  check_order(collections_, rules::snapmeta_gc_order, sink);
}

/// If a value is lower than the one before it, one of the two is wrong. The earlier one is wrong if it is
/// also higher than the value after both. At the end of the list, the earlier one is wrong if the later one
/// is not lower than the value before both.
void MetaRules::check_order(const std::vector<Moment>& moments, const Rule& rule, core::FindingSink& sink) {
  for (std::size_t i = 0; i + 1 < moments.size(); ++i) {
    const Moment& earlier = moments[i];
    const Moment& later = moments[i + 1];
    if (earlier.value <= later.value) continue;
    const bool has_next = i + 2 < moments.size();
    const bool blame_earlier =
        has_next ? earlier.value > moments[i + 2].value : i > 0 && later.value >= moments[i - 1].value;
    const Moment& wrong = blame_earlier ? earlier : later;
    const Moment& other = blame_earlier ? later : earlier;
    Finding finding{&rule,
                    {wrong.place, std::nullopt, wrong.path},
                    blame_earlier
                        ? fmt::format("value is {}, followed by {}; expected values that do not decrease",
                                      wrong.value, other.value)
                        : fmt::format("value is {} after {}; expected values that do not decrease",
                                      wrong.value, other.value)};
    finding.related.push_back({{other.place, std::nullopt, other.path}, "the neighbouring value"});
    sink.report(std::move(finding));
  }
}

}  // namespace heapcheck::validation::mvmheap::v3
