#include "validate/mvmheap/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::ReferenceKind;

struct Range {
  std::uint64_t start;
  std::uint64_t count;
  std::uint64_t owner;
  [[nodiscard]] std::uint64_t end() const { return start + count; }
};

std::vector<Range> sorted_ranges(const model::Snapshot& snapshot) {
  const auto& collectables = snapshot.collectables;
  std::vector<Range> ranges;
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    if (collectables.num_refs[i] != 0)
      ranges.push_back({collectables.refs_start[i], collectables.num_refs[i], i});
  }
  std::ranges::sort(ranges, [](const Range& a, const Range& b) {
    return std::tuple(a.start, a.count, a.owner) < std::tuple(b.start, b.count, b.owner);
  });
  return ranges;
}

/// Counts the seams, which are gaps and overlaps before, between and after the ranges. Leaves out the range
/// `skipped`.
std::uint64_t count_seams(const std::vector<Range>& ranges, std::uint64_t references,
                          std::size_t skipped = SIZE_MAX) {
  std::uint64_t seams = 0;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (i == skipped) continue;
    seams += ranges[i].start == end ? 0 : 1;
    end = ranges[i].end();
  }
  return seams + (end == references ? 0 : 1);
}

std::uint64_t count_references(const std::vector<Range>& ranges) {
  std::uint64_t total = 0;
  for (const Range& range : ranges) total += range.count;
  return total;
}

/// A fault in one range of a table that the ranges do not partition.
struct Fault {
  Range range;
  bool is_start;       ///< whether its start is wrong rather than its length
  std::uint64_t seam;  ///< where the ranges before it end
  std::string message;
};

/// Describes the seam before range `at`, where the ranges before it end at `end`.
std::string describe_seam(const std::vector<Range>& ranges, std::size_t at, std::uint64_t end,
                          std::uint64_t references) {
  if (ranges.empty())
    return fmt::format("no collectable has references, expected {}, the number of references", references);
  if (at == ranges.size())
    return fmt::format("the last range ends at {}, expected {}, the number of references", end, references);
  if (at == 0) return fmt::format("the first range starts at {}, expected 0", ranges[at].start);
  return fmt::format("the range after the one that ends at {} starts at {}, expected {}", end,
                     ranges[at].start, end);
}

/// Finds the range whose removal leaves only one seam, namely the gap where the range belongs. Searches
/// around the seam before range `at` and at the first overlap.
std::optional<Range> find_misplaced(const std::vector<Range>& ranges, std::size_t at,
                                    std::uint64_t references) {
  const auto is_misplaced = [&](std::size_t i) { return count_seams(ranges, references, i) == 1; };
  for (std::size_t i = at == 0 ? 0 : at - 1; i < std::min(ranges.size(), at + 2); ++i) {
    if (is_misplaced(i)) return ranges[i];
  }
  const auto overlap =
      std::ranges::adjacent_find(ranges, [](const Range& a, const Range& b) { return a.end() > b.start; });
  if (overlap == ranges.end()) return std::nullopt;
  const auto first = static_cast<std::size_t>(overlap - ranges.begin());
  if (is_misplaced(first)) return ranges[first];
  return is_misplaced(first + 1) ? std::optional(ranges[first + 1]) : std::nullopt;
}

/// Finds the range that causes the first seam: a misplaced range or, if there is none, the range before the
/// seam.
Fault find_fault(const std::vector<Range>& ranges, std::uint64_t references) {
  std::size_t at = 0;
  std::uint64_t end = 0;
  while (at < ranges.size() && ranges[at].start == end) end = ranges[at++].end();
  std::string found = describe_seam(ranges, at, end, references);
  if (at == ranges.size())
    return {ranges.empty() ? Range{0, 0, 0} : ranges.back(), false, end, std::move(found)};
  if (count_references(ranges) == references) {
    if (const auto misplaced = find_misplaced(ranges, at, references))
      return {*misplaced, true, end, std::move(found)};
  }
  return {at == 0 ? ranges[0] : ranges[at - 1], at == 0, end, std::move(found)};
}

/// Finds a collectable without references whose refs_start is `hole`, the start of a gap.
std::optional<Range> find_emptied(const model::Snapshot& snapshot, std::uint64_t hole) {
  const auto& collectables = snapshot.collectables;
  for (std::uint64_t i = 0; i < collectables.count(); ++i) {
    if (collectables.num_refs[i] == 0 && collectables.refs_start[i] == hole) return Range{hole, 0, i};
  }
  return std::nullopt;
}

std::uint64_t kind_at(const model::References& references, std::uint64_t i) {
  return references.description[i] & ((1U << kind_bits) - 1);
}
std::uint64_t index_at(const model::References& references, std::uint64_t i) {
  return references.description[i] >> kind_bits;
}

std::uint64_t count_references(const model::Collectables& collectables) {
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < collectables.num_refs.count(); ++i) {
    total = core::saturating_add(total, collectables.num_refs[i]);
  }
  return total;
}

/// Returns whether a range ends after the table because of its count rather than its start. If a count is
/// wrong, `total`, the sum of all counts, differs from `references`.
bool blame_count(const model::Collectables& collectables, std::uint64_t index, std::uint64_t references,
                 std::uint64_t total) {
  if (collectables.num_refs[index] > references) return true;
  return collectables.refs_start[index] <= references && total != references;
}

bool is_kind(std::uint64_t kind, ReferenceKind expected) {
  return kind == static_cast<std::uint64_t>(expected);
}

/// Calls `use` with the field and the row of each range and target that is outside its table.
template <class Use>
void for_each_outside(const model::Snapshot& snapshot, Use&& use) {
  const auto& starts = snapshot.collectables.refs_start;
  const auto& counts = snapshot.collectables.num_refs;
  const auto& targets = snapshot.references.target;
  for (std::uint64_t i = 0; i < counts.count(); ++i) {
    if (counts[i] != 0 && !core::is_inside(starts[i], counts[i], targets.count()))
      use(Field::collectable_num_refs, i);
  }
  for (std::uint64_t i = 0; i < targets.count(); ++i) {
    if (targets[i] >= counts.count()) use(Field::reference_target, i);
  }
}

}  // namespace

std::optional<Mismatch> find_mismatch(const model::Snapshot& snapshot) {
  Mismatch mismatch{.owned = count_references(snapshot.collectables)};
  if (mismatch.owned == snapshot.references.count()) return std::nullopt;
  std::uint64_t outside = 0;
  for_each_outside(snapshot, [&](Field field, std::uint64_t row) {
    if (outside++ != 0) return;
    mismatch.field = field;
    mismatch.first = row;
  });
  return outside > 1 ? std::optional(mismatch) : std::nullopt;
}

bool check_reference_count(const SnapshotView& view, core::FindingSink& sink) {
  const auto mismatch = find_mismatch(view.snapshot);
  if (!mismatch) return true;
  sink.report(make_finding(
      view, rules::refs_count, mismatch->field, mismatch->first,
      fmt::format("snapshot has {}, expected {}, the sum of num_refs",
                  core::counted(view.snapshot.references.count(), "reference"), mismatch->owned)));
  sink.skip({fmt::format("/snapshots/{}", view.index), "its collectables and references do not match"});
  return false;
}

void check_ranges(const SnapshotView& view, core::FindingSink& sink) {
  const auto& collectables = view.snapshot.collectables;
  const std::uint64_t references = view.snapshot.references.count();
  if (view.facts.ranges_are_inside) return;
  const std::uint64_t total = count_references(collectables);
  report_each(
      collectables.count(), rules::refs_range, sink,
      [&](std::uint64_t i) {
        // The end of the range is not computed because it may not fit in 64 bits.
        const std::uint64_t count = collectables.num_refs[i];
        return count > references || collectables.refs_start[i] > references - count;
      },
      [&](std::uint64_t i) {
        return make_finding(view, rules::refs_range,
                            blame_count(collectables, i, references, total) ? Field::collectable_num_refs
                                                                            : Field::collectable_refs_start,
                            i,
                            fmt::format("range of {} starts at {}, expected it to end at {} or earlier",
                                        core::counted(collectables.num_refs[i], "reference"),
                                        collectables.refs_start[i], references));
      });
}

void check_partition(const SnapshotView& view, core::FindingSink& sink) {
  if (view.facts.ranges_are_partition) return;
  const auto ranges = sorted_ranges(view.snapshot);
  if (count_seams(ranges, view.snapshot.references.count()) == 0) return;
  Fault fault = find_fault(ranges, view.snapshot.references.count());
  if (const auto emptied = count_references(ranges) < view.snapshot.references.count()
                               ? find_emptied(view.snapshot, fault.seam)
                               : std::nullopt) {
    fault.range = *emptied;
    fault.is_start = false;
  }
  const Field field = fault.is_start ? Field::collectable_refs_start : Field::collectable_num_refs;
  sink.report(make_finding(view, rules::refs_partition, field, fault.range.owner,
                           fmt::format("range of references is [{}, {}); {}", fault.range.start,
                                       fault.range.end(), fault.message)));
}

void check_descriptions(const SnapshotView& view, bool strings_known, core::FindingSink& sink) {
  const auto& references = view.snapshot.references;
  const std::uint64_t strings = strings_known ? view.known.strings : UINT64_MAX;
  model::DescriptionNotes notes = references.notes;
  notes.update(references.description);
  // For most snapshots, the notes about the column make it unnecessary to look at every reference.
  if (notes.hold(strings)) return;
  const auto report = [&](const Rule& rule, const auto& is_wrong, const auto& describe) {
    report_each(references.description.count(), rule, sink, is_wrong, [&](std::uint64_t i) {
      return make_finding(view, rule, Field::reference_description, i, describe(i));
    });
  };
  const auto kind = [&](std::uint64_t i) { return kind_at(references, i); };
  const auto index = [&](std::uint64_t i) { return index_at(references, i); };
  report(
      rules::refs_kind,
      [&](std::uint64_t i) { return kind(i) > static_cast<std::uint64_t>(ReferenceKind::string); },
      [&](std::uint64_t i) { return fmt::format("kind is {}, expected 0, 1 or 2", kind(i)); });
  report(
      rules::refs_unknown_index,
      [&](std::uint64_t i) { return is_kind(kind(i), ReferenceKind::unknown) && index(i) != 0; },
      [&](std::uint64_t i) {
        return fmt::format("index is {} in a reference of kind 0, expected 0", index(i));
      });
  report(
      rules::refs_string_range,
      [&](std::uint64_t i) { return is_kind(kind(i), ReferenceKind::string) && index(i) >= strings; },
      [&](std::uint64_t i) {
        return fmt::format("string index is {}, expected less than {}, the number of strings known here",
                           index(i), view.known.strings);
      });
}

void check_targets(const SnapshotView& view, core::FindingSink& sink) {
  const auto& targets = view.snapshot.references.target;
  const std::uint64_t collectables = view.snapshot.collectables.count();
  if (view.facts.targets_are_inside) return;
  report_each(
      targets.count(), rules::refs_target_range, sink,
      [&](std::uint64_t i) { return targets[i] >= collectables; },
      [&](std::uint64_t i) {
        return make_finding(view, rules::refs_target_range, Field::reference_target, i,
                            fmt::format("target is {}, expected less than {}, the number of collectables",
                                        targets[i], collectables));
      });
}

}  // namespace heapcheck::validation::mvmheap
