#include "validate/mvmheap/graph_pass.hpp"

#include <algorithm>
#include <bit>

#include "formats/core/hot_loop.hpp"
#include "formats/mvmheap/summary.hpp"

namespace heapcheck::validation::mvmheap {
namespace {

namespace model = heapcheck::mvmheap;
using model::Snapshot;

// The bits of an entry of owners_, which are described there.
constexpr std::uint32_t second_bit = 1U << 31;
constexpr std::uint32_t stable_bit = 1U << 30;
constexpr std::uint32_t index_mask = stable_bit - 1;
/// The number of references that tell where the reference to the STable is: MoarVM writes at most one other
/// reference first, namely the one to the serialization context.
constexpr std::uint64_t first_references = 2;

constexpr unsigned word_bits = 32;

/// Whether a collectable has an STable.
constexpr bool has_stable(std::uint64_t kind) { return model::is_typed_kind(kind) && kind != stable_kind; }

bool has_narrow_ranges(const model::Collectables& collectables) {
  return collectables.kind.is_narrow() && collectables.type_or_frame_index.is_narrow() &&
         collectables.refs_start.is_narrow() && collectables.num_refs.is_narrow();
}

bool has_narrow_references(const Snapshot& snapshot) {
  return snapshot.references.description.is_narrow() && snapshot.references.target.is_narrow();
}

std::uint64_t add_up(std::span<const std::uint32_t> counts) {
  std::uint64_t total = 0;
  for (const std::uint32_t count : counts) total += count;
  return total;
}

/// Whether every range is inside a table of `total` references. Makes one pass without branches.
HEAPCHECK_HOT_LOOP bool are_ranges_inside(std::span<const std::uint32_t> starts,
                                          std::span<const std::uint32_t> counts, std::uint32_t total) {
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    wrong |= static_cast<std::uint32_t>(counts[i] > total) |
             static_cast<std::uint32_t>(starts[i] > total - counts[i]);
  }
  return wrong == 0;
}

/// Returns whether any collectable without references has a start other than 0.
HEAPCHECK_HOT_LOOP bool has_childless_start(std::span<const std::uint32_t> starts,
                                            std::span<const std::uint32_t> counts) {
  std::uint32_t wrong = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) wrong |= counts[i] == 0 ? starts[i] : 0;
  return wrong != 0;
}

/// The positions at which an odd number of ranges start, and the positions at which an odd number end.
struct RangeEnds {
  std::vector<std::uint32_t> started;
  std::vector<std::uint32_t> ended;
};

/// There are two arrays because a range often ends where the previous one started: with a single array, the
/// loop would have to wait until that word was written. Leaves out empty ranges.
RangeEnds find_range_ends(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> counts,
                          std::uint64_t total) {
  RangeEnds ends{std::vector<std::uint32_t>(total / word_bits + 1),
                 std::vector<std::uint32_t>(total / word_bits + 1)};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t end = std::uint64_t{starts[i]} + counts[i];
    const std::uint32_t bit = counts[i] != 0 ? 1 : 0;
    ends.started[starts[i] / word_bits] ^= bit << (starts[i] % word_bits);
    ends.ended[end / word_bits] ^= bit << (end % word_bits);
  }
  return ends;
}

/// Returns whether the non-empty ranges, whose lengths add up to `total`, form an exact partition of
/// [0, total). Think of a range as an edge from its start to its end. If an odd number of edges meet at 0 and
/// at the table's end, and an even number everywhere else, then there is a path of edges from 0 to the end
/// that covers the table. As the lengths add up to the table's length, the path never turns back and no range
/// is left over.
bool is_partition(RangeEnds& ends, std::uint64_t total) {
  const std::uint32_t last = 1U << (total % word_bits);
  ends.started[total / word_bits] ^= last;
  ends.ended[0] ^= 1;
  const bool is_equal = ends.started == ends.ended;
  ends.started[total / word_bits] ^= last;
  return is_equal;
}

/// For each word, the number of bits that are set in the words before it, and at the end the number of all.
HEAPCHECK_HOT_LOOP void count_bits(std::span<const std::uint32_t> words, std::vector<std::uint32_t>& before) {
  std::uint32_t total = 0;
  for (const std::uint32_t word : words) {
    before.push_back(total);
    total += static_cast<std::uint32_t>(std::popcount(word));
  }
  before.push_back(total);
}

/// Puts the collectables that have references into the order of their references: the position of a
/// collectable is the number of ranges that start before its own.
HEAPCHECK_HOT_LOOP void find_order(std::span<const std::uint16_t> kinds,
                                   std::span<const std::uint32_t> starts,
                                   std::span<const std::uint32_t> counts,
                                   std::span<const std::uint32_t> started,
                                   std::span<const std::uint32_t> before, std::uint32_t* owners) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::uint32_t word = starts[i] / word_bits;
    const std::uint32_t earlier = started[word] & ((1U << (starts[i] % word_bits)) - 1);
    owners[before[word] + static_cast<std::uint32_t>(std::popcount(earlier))] =
        static_cast<std::uint32_t>(i) | (has_stable(kinds[i]) ? stable_bit : 0);
  }
}

HEAPCHECK_HOT_LOOP std::uint64_t count_values(std::span<const std::uint32_t> values, std::uint32_t wanted) {
  std::uint64_t count = 0;
  for (const std::uint32_t value : values) count += value == wanted ? 1 : 0;
  return count;
}

/// Calls `use` with the entry in `owners`, the first reference and the number of references of each
/// collectable whose first references come before `end`. Passes all references before the next such
/// collectable.
template <class Position, class Use>
void visit_owners(std::span<std::uint32_t> owners, std::span<const std::uint32_t> counts, std::uint64_t end,
                  Position& position, Use&& use) {
  Position at = position;  // a copy, which the compiler can keep in registers
  for (; at.owner < owners.size(); ++at.owner) {
    const std::uint64_t count = counts[owners[at.owner] & index_mask];
    if (at.start + std::min(count, first_references) > end) break;
    use(owners[at.owner], at.start, count);
    at.start += count;
  }
  at.passed = std::min(at.start, end);
  position = at;
}

}  // namespace

/// Avoids branches, because the order of kinds is unpredictable. Uses bytes rather than bits, because setting
/// a bit has to wait until the previous bit has been set.
void mark_names(std::span<const std::uint32_t> descriptions, std::uint64_t needed,
                std::vector<std::uint8_t>& is_name) {
  constexpr std::uint32_t first_string = 2U << (32 - kind_bits);  // once the kind has been moved to the front
  is_name.resize(std::max(is_name.size(), static_cast<std::size_t>(needed)));
  const auto others = static_cast<std::uint32_t>(is_name.size());  // represents everything but strings
  is_name.push_back(0);
  std::uint8_t* const names = is_name.data();
  for (const std::uint32_t description : descriptions)
    names[std::min(std::rotr(description, kind_bits) - first_string, others)] = 1;
  is_name.pop_back();
}

void GraphPass::advance(const Snapshot& snapshot, bool is_at_end) {
  const bool has_references =
      snapshot.references.description.count() != 0 || snapshot.references.target.count() != 0;
  if (has_failed() || (!has_references && !is_at_end)) return;
  if (progress_ == Progress::waiting && !begin(snapshot, is_at_end)) return;
  if (has_changed(snapshot)) {
    progress_ = Progress::failed;
    return;
  }
  pass_descriptions(snapshot, is_at_end);
  if (!has_failed()) pass_targets(snapshot, is_at_end);
  if (!has_failed() && is_at_end) end(snapshot);
}

/// Adds the counts that came after those that were added before.
void GraphPass::count_references(std::span<const std::uint32_t> counts) {
  if (counts.size() < counted_) counted_ = references_ = 0;
  references_ += add_up(counts.subspan(static_cast<std::size_t>(counted_)));
  counted_ = counts.size();
}

/// Checks the ranges, and finds the order of the collectables. Returns whether the pass can go on. If the
/// collectables seem to have too many references, waits for the end of the snapshot, because the memory that
/// is needed depends on that number.
bool GraphPass::begin(const Snapshot& snapshot, bool is_at_end) {
  constexpr std::uint64_t likely_references = 8;  // per collectable
  const model::Collectables& collectables = snapshot.collectables;
  const auto& [kind, index, size, unmanaged_size, starts, counts] = collectables;
  rows_ = kind.count();
  const bool is_complete = rows_ != 0 && index.count() == rows_ && starts.count() == rows_ &&
                           counts.count() == rows_ && has_narrow_ranges(collectables);
  if (is_complete) count_references(counts.narrow());
  const bool is_likely = references_ <= std::max(likely_references * rows_ + least_passed,
                                                 snapshot.references.description.count());
  if (!is_at_end && (!is_complete || !is_likely)) return false;
  progress_ = Progress::failed;
  if (!is_complete || rows_ > index_mask || references_ >= UINT32_MAX) return false;
  // The partition is proved only if the lengths add up. Counts may have been replaced since they were added.
  if (references_ != add_up(counts.narrow())) return false;
  if (is_at_end && references_ != snapshot.references.count()) return false;
  if (!are_ranges_inside(starts.narrow(), counts.narrow(), static_cast<std::uint32_t>(references_)))
    return false;
  RangeEnds ends = find_range_ends(starts.narrow(), counts.narrow(), references_);
  if (!is_partition(ends, references_)) return false;
  ends.ended = {};
  std::vector<std::uint32_t> before;
  before.reserve(ends.started.size() + 1);
  count_bits(ends.started, before);
  owners_.resize(before.back());
  find_order(kind.narrow(), starts.narrow(), counts.narrow(), ends.started, before, owners_.data());
  have_childless_no_start_ = !has_childless_start(starts.narrow(), counts.narrow());
  const auto kinds = kind.narrow();
  typed_ = static_cast<std::uint64_t>(std::ranges::count_if(kinds, has_stable));
  progress_ = Progress::going;
  return true;
}

/// Guesses the description of references to STables before their targets are known: of the descriptions of
/// the first two references of an object, the one that more objects have. Returns nothing if that is not
/// clear yet. A wrong guess only means that nothing is proved.
std::optional<std::uint32_t> GraphPass::find_stable_name(const Snapshot& snapshot, bool is_at_end) {
  constexpr std::uint64_t most_looked_at = 16;
  const auto descriptions = snapshot.references.description.narrow_from(0);
  std::optional<std::uint32_t> first;
  std::uint32_t second = 0;
  std::uint64_t firsts = 0;
  std::uint64_t seconds = 0;
  Position position;
  visit_owners(std::span(owners_), snapshot.collectables.num_refs.narrow(), descriptions.size(), position,
               [&](std::uint32_t owner, std::uint64_t start, std::uint64_t count) {
                 if ((owner & stable_bit) == 0) return;
                 const std::uint32_t one = descriptions[start];
                 const std::uint32_t other = descriptions[count > 1 ? start + 1 : start];
                 if (!first) {
                   first = one;
                   second = other;
                 }
                 firsts += one == *first || other == *first ? 1 : 0;
                 seconds += one == second || other == second ? 1 : 0;
               });
  const bool is_tie = firsts == seconds && first != second && descriptions.size() < most_looked_at * least_;
  if (is_tie && !is_at_end) return std::nullopt;
  return first && firsts < seconds ? second : first;
}

/// Records the names in references that have been passed. Returns false if there is a kind that does not
/// exist, or an index so large that it must be wrong.
bool GraphPass::add_names(const model::References& references, std::span<const std::uint32_t> passed) {
  constexpr std::uint64_t least_most = 1U << 16;
  constexpr std::uint64_t references_per_string = 8;
  model::DescriptionNotes notes = references.notes;
  notes.update(references.description);
  const auto needed = notes.needed_strings();
  if (!needed) return false;
  if (*needed > std::max(least_most, references_ / references_per_string)) return false;
  mark_names(passed, *needed, names_);
  return true;
}

void GraphPass::pass_descriptions(const Snapshot& snapshot, bool is_at_end) {
  const auto& column = snapshot.references.description;
  const std::uint64_t first = described_.passed;
  const std::uint64_t last = std::min(column.count(), references_);
  if (!is_at_end && column.count() - first < least_) return;
  if (!stable_ && first == 0) {
    if (!is_at_end && column.count() < 2 * searched_) return;
    searched_ = column.count();
    stable_ = find_stable_name(snapshot, is_at_end);
    if (!stable_ && !is_at_end) return;
  }
  const auto descriptions = column.narrow_from(first);
  const std::uint32_t stable = stable_.value_or(0);
  bool have_stables = have_stables_;
  std::uint64_t owners = 0;
  visit_owners(std::span(owners_), snapshot.collectables.num_refs.narrow(), last, described_,
               [&](std::uint32_t& owner, std::uint64_t start, std::uint64_t count) {
                 if ((owner & stable_bit) == 0) return;
                 const auto at = static_cast<std::size_t>(start - first);
                 const bool is_first = descriptions[at] == stable;
                 const bool is_second = !is_first && count > 1 && descriptions[at + 1] == stable;
                 have_stables = have_stables && (is_first || is_second);
                 if (is_second) owner |= second_bit;
                 ++owners;
               });
  have_stables_ = have_stables;
  typed_owners_ += owners;
  const auto passed = descriptions.first(static_cast<std::size_t>(described_.passed - first));
  stables_ += count_values(passed, stable);
  if (!add_names(snapshot.references, passed)) progress_ = Progress::failed;
}

/// MoarVM numbers collectables when it first encounters them, and writes all references of a collectable
/// together. So a reference leads to a collectable that was met before, or to the next one, and a collectable
/// with references was met before them: it can be reached from the owner of an earlier reference, that owner
/// can be reached from the owner of a still earlier one, and so on back to the root.
void GraphPass::pass_targets(const Snapshot& snapshot, bool is_at_end) {
  const auto& column = snapshot.references.target;
  const std::uint64_t first = followed_.passed;
  const std::uint64_t last = std::min(column.count(), references_);
  if ((!is_at_end && column.count() - first < least_) || column.count() == first) return;
  if (column.narrow_bound() >= rows_) {
    progress_ = Progress::failed;
    return;
  }
  const auto kinds = snapshot.collectables.kind.narrow();
  const auto types = snapshot.collectables.type_or_frame_index.narrow();
  const auto targets = column.narrow_from(first).first(static_cast<std::size_t>(last - first));
  const std::uint32_t* const values = targets.data();
  std::uint32_t next = next_;
  bool is_in_order = is_in_order_;
  bool have_stables = have_stables_;
  bool has_self = false;
  std::size_t met = 0;
  const auto meet_before = [&](std::size_t end) {
    for (; met < end; ++met) {
      is_in_order &= values[met] <= next;
      next = std::max(next, values[met] + 1);
    }
  };
  const auto described = std::span(owners_).first(described_.owner);
  visit_owners(described, snapshot.collectables.num_refs.narrow(), last, followed_,
               [&](std::uint32_t entry, std::uint64_t start, std::uint64_t) {
                 const auto at = static_cast<std::size_t>(start - first);
                 const std::uint32_t owner = entry & index_mask;
                 meet_before(at);
                 is_in_order = is_in_order && owner < next;
                 has_self = has_self || (owner == 0 && targets[at] == 0);
                 if ((entry & stable_bit) != 0) {
                   const bool is_second = (entry & second_bit) != 0;
                   const std::uint32_t stable = targets[is_second ? at + 1 : at];
                   have_stables = have_stables && kinds[stable] == stable_kind &&
                                  types[stable] == types[owner] &&
                                  (!is_second || kinds[targets[at]] != stable_kind);
                 }
               });
  meet_before(static_cast<std::size_t>(followed_.passed - first));
  next_ = next;
  is_in_order_ = is_in_order;
  have_stables_ = have_stables;
  // spec: mvmheap/v1.md#quirks: the references may lack targets, so that these are other numbers.
  if (has_self) progress_ = Progress::failed;
}

bool GraphPass::has_changed(const Snapshot& snapshot) const {
  const auto& [kind, index, size, unmanaged_size, starts, counts] = snapshot.collectables;
  const model::References& references = snapshot.references;
  return kind.count() != rows_ || index.count() != rows_ || starts.count() != rows_ ||
         counts.count() != rows_ || references.description.count() < described_.passed ||
         references.target.count() < followed_.passed || !has_narrow_ranges(snapshot.collectables) ||
         !has_narrow_references(snapshot);
}

void GraphPass::end(const Snapshot& snapshot) {
  is_whole_ = references_ == snapshot.references.description.count() &&
              references_ == snapshot.references.target.count() && described_.passed == references_ &&
              followed_.passed == references_;
}

GraphFacts GraphPass::find_facts(const Snapshot& snapshot) const {
  const model::References& references = snapshot.references;
  GraphFacts facts;
  facts.ranges_are_inside = facts.ranges_are_partition =
      has_begun() && references_ == references.target.count();
  facts.have_childless_no_start = facts.ranges_are_partition && have_childless_no_start_;
  facts.targets_are_inside =
      references.target.is_narrow() &&
      (references.target.count() == 0 || references.target.narrow_bound() < snapshot.collectables.count());
  if (!is_whole_ || has_failed()) return facts;
  facts.all_are_reachable = is_in_order_ && next_ == rows_;
  const bool is_named = stable_ && (*stable_ & ((1U << kind_bits) - 1)) == string_reference;
  if (is_named && have_stables_ && typed_owners_ == typed_ && stables_ == typed_)
    facts.stable_name = *stable_ >> kind_bits;
  return facts;
}

}  // namespace heapcheck::validation::mvmheap
