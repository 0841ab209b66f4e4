#include "validate/mvmheap/reference_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "formats/core/checked.hpp"
#include "formats/core/counted.hpp"
#include "formats/core/hot_loop.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

using model::ReferenceKind;

constexpr unsigned kind_bits = 2;

struct Range {
  std::uint64_t start;
  std::uint64_t count;
  std::uint64_t owner;
  [[nodiscard]] std::uint64_t end() const { return start + count; }
};

/// Whether the non-empty ranges are an exact partition of [0, references). Think of a range as an edge
/// from its start to its end. If an odd number of edges meets at 0 and at the table's end, and an even
/// number everywhere else, then a path of edges leads from 0 to the end and covers the table. If the
/// lengths add up to the table's length, the path never turns back and no range is left over.
bool is_partition(const model::Snapshot& snapshot) {
  const auto starts = snapshot.collectables.refs_start.narrow();
  const auto counts = snapshot.collectables.num_refs.narrow();
  const std::uint64_t references = snapshot.references.count();
  // The places where an odd number of ranges start, and those where an odd number end. There are two
  // arrays because a range often ends where the previous one started, and would have to wait for that
  // word to be written. Empty ranges cancel out.
  std::vector<std::uint32_t> started(references / 32 + 1);
  std::vector<std::uint32_t> ended(references / 32 + 1);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t end = std::uint64_t{starts[i]} + counts[i];
    started[starts[i] / 32] ^= 1U << (starts[i] % 32);
    ended[end / 32] ^= 1U << (end % 32);
    total += counts[i];
  }
  started[references / 32] ^= 1U << (references % 32);
  ended[0] ^= 1;
  return total == references && started == ended;
}

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

/// The number of places where a range does not end where the next one begins, not counting range `skipped`.
std::uint64_t count_seams(const std::vector<Range>& ranges, std::uint64_t references, std::size_t skipped) {
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

/// What is wrong with one range of a table that is not partitioned.
struct Fault {
  Range range;
  bool is_start;       ///< whether its start is wrong rather than its length
  std::uint64_t seam;  ///< where the ranges before it end
  std::string message;
};

/// The range to blame at the first place where two ranges do not meet: the one without which all
/// others meet except for the gap that it belongs in, or otherwise the one before that place.
Fault find_fault(const std::vector<Range>& ranges, std::uint64_t references) {
  std::size_t at = 0;
  std::uint64_t end = 0;
  while (at < ranges.size() && ranges[at].start == end) end = ranges[at++].end();
  const std::string found =
      at < ranges.size()
          ? at == 0 ? fmt::format("the first range starts at {}, expected 0", ranges[at].start)
                    : fmt::format("the range after the one that ends at {} starts at {}, expected {}", end,
                                  ranges[at].start, end)
          : fmt::format("the last range ends at {}, expected {}, the number of references", end, references);
  if (at == ranges.size()) return {ranges.empty() ? Range{0, 0, 0} : ranges.back(), false, end, found};
  if (count_references(ranges) == references) {
    for (std::size_t candidate = at == 0 ? 0 : at - 1; candidate < std::min(ranges.size(), at + 2);
         ++candidate) {
      if (count_seams(ranges, references, candidate) == 1) return {ranges[candidate], true, end, found};
    }
    for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
      if (ranges[i].end() <= ranges[i + 1].start) continue;
      for (const std::size_t candidate : {i, i + 1}) {
        if (count_seams(ranges, references, candidate) == 1) return {ranges[candidate], true, end, found};
      }
      break;
    }
  }
  return {at == 0 ? ranges[0] : ranges[at - 1], at == 0, end, found};
}

/// A collectable without references whose refs_start is the start of the gap `hole`.
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

/// Whether every range is inside the table, in one pass without a branch.
HEAPCHECK_HOT_LOOP bool are_ranges_inside(const model::Collectables& collectables, std::uint64_t references) {
  if (!collectables.refs_start.is_narrow() || !collectables.num_refs.is_narrow()) return false;
  const auto starts = collectables.refs_start.narrow();
  const auto counts = collectables.num_refs.narrow();
  const auto table = static_cast<std::uint32_t>(references);
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint32_t count = counts[i];
    wrong |=
        static_cast<std::uint32_t>(count > table) | static_cast<std::uint32_t>(starts[i] > table - count);
  }
  return wrong == 0;
}

std::uint64_t count_references(const model::Collectables& collectables) {
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < collectables.num_refs.count(); ++i) {
    total = core::saturating_add(total, collectables.num_refs[i]);
  }
  return total;
}

/// Whether a range leaves the table because of its count rather than its start: with a wrong count,
/// the sum of all counts, `total`, differs from `references`.
bool blame_count(const model::Collectables& collectables, std::uint64_t index, std::uint64_t references,
                 std::uint64_t total) {
  if (collectables.num_refs[index] > references) return true;
  return collectables.refs_start[index] <= references && total != references;
}

bool is_kind(std::uint64_t kind, ReferenceKind expected) {
  return kind == static_cast<std::uint64_t>(expected);
}

}  // namespace

void check_ranges(const SnapshotView& view, core::FindingSink& sink) {
  const auto& collectables = view.snapshot.collectables;
  const std::uint64_t references = view.snapshot.references.count();
  if (are_ranges_inside(collectables, references)) return;
  const std::uint64_t total = count_references(collectables);
  report_each(
      collectables.count(), rules::refs_range, sink,
      [&](std::uint64_t i) {
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
  if (is_partition(view.snapshot)) return;
  const auto ranges = sorted_ranges(view.snapshot);
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
  if (notes.hold(strings)) return;
  report_each(
      references.description.count(), rules::refs_kind, sink,
      [&](std::uint64_t i) {
        return kind_at(references, i) > static_cast<std::uint64_t>(ReferenceKind::string);
      },
      [&](std::uint64_t i) {
        return make_finding(view, rules::refs_kind, Field::reference_description, i,
                            fmt::format("kind is {}, expected 0, 1 or 2", kind_at(references, i)));
      });
  report_each(
      references.description.count(), rules::refs_unknown_index, sink,
      [&](std::uint64_t i) {
        return is_kind(kind_at(references, i), ReferenceKind::unknown) && index_at(references, i) != 0;
      },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::refs_unknown_index, Field::reference_description, i,
            fmt::format("index is {} in a reference of kind 0, expected 0", index_at(references, i)));
      });
  report_each(
      references.description.count(), rules::refs_string_range, sink,
      [&](std::uint64_t i) {
        return is_kind(kind_at(references, i), ReferenceKind::string) && index_at(references, i) >= strings;
      },
      [&](std::uint64_t i) {
        return make_finding(
            view, rules::refs_string_range, Field::reference_description, i,
            fmt::format("string index is {}, expected less than {}, the number of strings known here",
                        index_at(references, i), view.known.strings));
      });
}

void check_targets(const SnapshotView& view, const Mentions& mentions, core::FindingSink& sink) {
  const auto& targets = view.snapshot.references.target;
  const std::uint64_t collectables = view.snapshot.collectables.count();
  if (!mentions.has_outside) return;
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
