
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "formats/core/checked.hpp"
#include "formats/core/text/counted.hpp"
#include "validate/chrome/legacy/rules.hpp"

namespace heapcheck::validation::chrome::legacy {
namespace {

/// The sum over an entry's callees or types, in bytes or objects. The value of the entry itself must be at
/// least as large.
enum class Sum : std::uint8_t { callee_size, callee_count, type_size, type_count };
constexpr std::size_t sums = 4;
constexpr std::array<std::string_view, sums> parts_of{"callees", "callees", "types", "types"};
constexpr std::array<core::Noun, sums> unit_of{"byte", "object", "byte", "object"};

class Checker {
 public:
  Checker(HeapView& view, core::FindingSink& sink)
      : view_(&view), sink_(&sink), faults_(&view.process->found.sums), count_(view.entries.size()) {}

  bool run();

 private:
  /// For each entry, the entry that it is part of, as a callee or a type; nowhere if there is none.
  [[nodiscard]] const std::vector<std::uint32_t>& wholes(std::size_t sum) const {
    return sum < 2 ? view_->caller : view_->total;
  }
  [[nodiscard]] std::size_t whole_of(std::size_t entry, std::size_t sum) const { return wholes(sum)[entry]; }
  /// The values that are added up, by row.
  [[nodiscard]] const std::vector<std::uint64_t>& values(std::size_t sum) const {
    const format::Entries& entries = view_->heap->entries;
    return sum % 2 == 0 ? entries.size : entries.count;
  }
  [[nodiscard]] std::uint64_t value(std::size_t entry, std::size_t sum) const {
    return values(sum)[view_->entries[entry].row];
  }
  [[nodiscard]] bool is_broken(std::size_t entry, std::size_t sum) const {
    const std::uint64_t whole = value(entry, sum);
    return whole != format::no_value && !is_open_[sum][entry] && sum_[sum][entry] > whole;
  }
  [[nodiscard]] bool is_sound(std::size_t sum);
  bool add_up(std::size_t sum);
  void count_broken();
  [[nodiscard]] bool is_too_large(std::size_t entry, std::size_t sum) const;
  void find_culprits();
  void find_moved();
  void keep(std::size_t entry);
  void keep_part(std::size_t entry, std::size_t whole, std::size_t sum);

  HeapView* view_;
  core::FindingSink* sink_;
  SumFaults* faults_;
  std::size_t count_;
  std::array<std::vector<std::uint64_t>, sums> sum_;    // by entry: the sum of its parts
  std::array<std::vector<bool>, sums> is_open_;         // by entry: whether a part has no value
  std::vector<std::uint32_t> broken_;                   // by entry: the number of broken sums that include it
  std::array<std::vector<std::size_t>, sums> culprit_;  // by entry: the culprit of its broken sum
};

/// Returns whether all sums are correct.
bool Checker::run() {
  bool are_sound = true;
  for (std::size_t sum = 0; sum < sums; ++sum) are_sound = are_sound && is_sound(sum);
  if (are_sound) return true;
  is_open_.fill(std::vector<bool>(count_));
  bool is_any_broken = false;
  for (std::size_t sum = 0; sum < sums; ++sum) is_any_broken = add_up(sum) || is_any_broken;
  if (!is_any_broken) return true;
  if (check_places(*view_, "values contradict each other", *sink_)) return false;
  count_broken();
  find_moved();
  find_culprits();
  std::vector<bool> is_culprit(count_);
  for (std::size_t entry = 0; entry < count_; ++entry) {
    for (std::size_t sum = 0; sum < sums; ++sum) {
      if (is_broken(entry, sum)) is_culprit[culprit_[sum][entry]] = true;
    }
  }
  for (std::size_t entry = 0; entry < count_; ++entry) {
    if (is_culprit[entry] && faults_->blamed.insert(view_->entries[entry].node).second) keep(entry);
  }
  return false;
}

/// Records the callees whose removal would correct the broken sums of callees.
void Checker::find_moved() {
  std::vector<bool> is_broken_caller(count_);
  for (std::size_t sum = 0; sum < sums; ++sum) {
    for (std::size_t entry = 0; entry < count_; ++entry) {
      const bool broken = is_broken(entry, sum);
      if (broken && sum >= 2) faults_->has_broken_types = true;
      if (broken && sum < 2) {
        ++faults_->broken;
        faults_->callers.insert(view_->entries[entry].node);
        is_broken_caller[entry] = true;
      }
      const std::size_t whole = view_->caller[entry];
      if (sum >= 2 || whole == nowhere || !is_broken(whole, sum)) continue;
      const std::uint64_t part = value(entry, sum);
      // Only a callee whose removal corrects the sum can be the one that was moved there.
      if (sum_[sum][whole] - part > value(whole, sum)) continue;
      SumFaults::Callee& callee = faults_->callees[view_->entries[entry].node];
      ++callee.righted;
      callee.value = core::saturating_add(callee.value, part);
    }
  }
  faults_->broken_callers += static_cast<std::uint64_t>(std::ranges::count(is_broken_caller, true));
}

/// Returns whether all entries have a value and all sums are correct, without keeping the sums. Has no
/// branches that are hard to predict: entries that are not part of another are added to a sum that is not
/// used.
bool Checker::is_sound(std::size_t sum) {
  const std::uint32_t* const whole = wholes(sum).data();
  const std::uint64_t* const part = values(sum).data();
  const EntryView* const entries = view_->entries.data();
  renew(view_->sum, count_ + 1);
  std::ranges::fill(view_->sum, 0);
  std::uint64_t* const added = view_->sum.data();
  for (std::size_t entry = 0; entry < count_; ++entry) {
    const std::uint64_t value = part[entries[entry].row];
    if (value == format::no_value) return false;
    std::uint64_t& total = added[std::min<std::size_t>(whole[entry], count_)];
    total = core::saturating_add(total, value);
  }
  bool is_any_broken = false;
  for (std::size_t entry = 0; entry < count_; ++entry)
    is_any_broken |= added[entry] > part[entries[entry].row];
  return !is_any_broken;
}

/// Returns whether any of these sums is broken.
bool Checker::add_up(std::size_t sum) {
  const std::uint32_t* const whole = wholes(sum).data();
  const std::uint64_t* const part = values(sum).data();
  const EntryView* const entries = view_->entries.data();
  std::vector<std::uint64_t> added(count_);
  for (std::size_t entry = 0; entry < count_; ++entry) {
    if (whole[entry] == nowhere) continue;
    const std::uint64_t value = part[entries[entry].row];
    if (value == format::no_value) {
      is_open_[sum][whole[entry]] = true;
    } else {
      added[whole[entry]] = core::saturating_add(added[whole[entry]], value);
    }
  }
  bool is_any_broken = false;
  for (std::size_t entry = 0; entry < count_; ++entry) {
    // No sum exceeds no_value.
    const bool exceeds = added[entry] > part[entries[entry].row];
    is_any_broken = is_any_broken || (exceeds && !is_open_[sum][entry]);
  }
  sum_[sum] = std::move(added);
  return is_any_broken;
}

void Checker::count_broken() {
  broken_.assign(count_, 0);
  for (std::size_t sum = 0; sum < sums; ++sum) {
    for (std::size_t entry = 0; entry < count_; ++entry) {
      const std::size_t whole = whole_of(entry, sum);
      if (is_broken(entry, sum)) ++broken_[entry];
      if (whole != nowhere && is_broken(whole, sum)) ++broken_[entry];
    }
  }
}

/// Returns whether the entry by itself is larger than the whole, and is not part of a sum along the other
/// axis.
bool Checker::is_too_large(std::size_t entry, std::size_t sum) const {
  const std::size_t other = whole_of(entry, (sum + 2) % sums);
  return other == nowhere && value(entry, sum) > value(whole_of(entry, sum), sum);
}

/// Finds the culprit of each broken sum: the entry that is part of the largest number of broken sums. In a
/// tie, the culprit is the whole, unless a part is too large.
void Checker::find_culprits() {
  for (std::size_t sum = 0; sum < sums; ++sum) {
    std::vector<std::size_t>& culprits = culprit_[sum];
    culprits.resize(count_);
    for (std::size_t entry = 0; entry < count_; ++entry) culprits[entry] = entry;
    for (std::size_t entry = 0; entry < count_; ++entry) {
      const std::size_t whole = whole_of(entry, sum);
      if (whole == nowhere || !is_broken(whole, sum)) continue;
      const std::size_t best = culprits[whole];
      const bool is_tie = broken_[entry] == broken_[best] && best == whole;
      if (broken_[entry] > broken_[best] || (is_tie && is_too_large(entry, sum))) culprits[whole] = entry;
    }
  }
}

/// Records the first broken sum for which the entry is responsible.
void Checker::keep(std::size_t entry) {
  for (std::size_t sum = 0; sum < sums; ++sum) {
    const std::size_t whole = whole_of(entry, sum);
    if (whole != nowhere && is_broken(whole, sum) && culprit_[sum][whole] == entry) {
      return keep_part(entry, whole, sum);
    }
    if (!is_broken(entry, sum) || culprit_[sum][entry] != entry) continue;
    faults_->faults.push_back(
        {sum < 2 ? &rules::entry_child_sum : &rules::entry_type_sum,
         view_->dump,
         view_->heap,
         view_->entries[entry].row,
         std::nullopt,
         {},
         fmt::format("the {} together have {}, expected at most the entry's {}", parts_of[sum],
                     core::counted(sum_[sum][entry], unit_of[sum]), value(entry, sum))});
    return;
  }
}

void Checker::keep_part(std::size_t entry, std::size_t whole, std::size_t sum) {
  const bool is_larger = value(entry, sum) > value(whole, sum);
  const Rule& rule = sum >= 2    ? rules::entry_type_sum
                     : is_larger ? rules::entry_child_exceeds_parent
                                 : rules::entry_child_sum;
  const std::string_view above = sum < 2 ? "its caller" : "the entry for all types";
  const std::string found = core::counted(value(entry, sum), unit_of[sum]);
  const std::uint64_t most = value(whole, sum);
  faults_->faults.push_back(
      {&rule, view_->dump, view_->heap, view_->entries[entry].row, view_->entries[whole].row, above,
       is_larger ? fmt::format("the entry has {}, expected at most {}, the value of {}", found, most, above)
                 : fmt::format("the entry has {}, expected less because it and its siblings add up to more "
                               "than {}, the value of {}",
                               found, most, above)});
}

/// Finds the callee whose removal corrects all sums, if its parent is wrong rather than a value. In this
/// case, all broken sums are over the callees of one caller, for several types or in several heaps, and the
/// sums of types are correct. If there are several such callees, returns the one with the least memory,
/// because the values of its former callers include its memory, too.
std::optional<std::uint32_t> find_moved_frame(const SumFaults& faults) {
  if (faults.has_broken_types || faults.callers.size() != 1 || faults.broken_callers < 2) return std::nullopt;
  std::optional<std::pair<std::uint64_t, std::uint32_t>> best;
  for (const auto& [node, callee] : faults.callees) {
    const std::pair found(callee.value, node);
    if (callee.righted == faults.broken && (!best || found < *best)) best = found;
  }
  return best ? std::optional(best->second - 1) : std::nullopt;
}

/// The values in bytes or objects and, for each entry, the sum over its types, which is no_value if a type
/// has no value.
struct TypeSums {
  const std::vector<std::uint64_t>* values;
  std::vector<std::uint64_t> sum;
  bool has_types = false;
};

TypeSums add_types(const HeapView& view, const std::vector<std::uint64_t>& values) {
  TypeSums added{&values, std::vector<std::uint64_t>(view.entries.size())};
  for (std::size_t entry = 0; entry < view.entries.size(); ++entry) {
    if (view.total[entry] == nowhere) continue;
    added.has_types = true;
    std::uint64_t& total = added.sum[view.total[entry]];
    total = core::saturating_add(total, values[view.entries[entry].row]);
  }
  return added;
}

/// Returns whether the types of the entry account for at least as much memory as the entry.
bool check_type_rest(const HeapView& view, std::size_t entry, const TypeSums& types, core::Noun unit,
                     core::FindingSink& sink) {
  const std::uint32_t row = view.entries[entry].row;
  const std::uint64_t whole = (*types.values)[row];
  if (whole == format::no_value || types.sum[entry] >= whole) return true;
  core::report_lazily(sink, rules::entry_type_rest, [&] {
    return Finding{
        &rules::entry_type_rest, view.dump->locate(*view.heap, row),
        fmt::format("the types together have {}, expected the entry's {} because nothing was left out",
                    core::counted(types.sum[entry], unit), whole)};
  });
  return false;
}

Finding make_finding(const SumFault& fault) {
  Finding finding{fault.rule, fault.dump->locate(*fault.heap, fault.row), fault.message};
  if (fault.whole) {
    finding.related.push_back({fault.dump->locate(*fault.heap, *fault.whole), std::string(fault.above)});
  }
  return finding;
}

}  // namespace

bool check_sums(HeapView& view, core::FindingSink& sink) { return Checker(view, sink).run(); }

void report_sums(const ProcessView& process, core::FindingSink& sink) {
  const SumFaults& faults = process.found.sums;
  if (const auto row = find_moved_frame(faults)) {
    const format::Frames& frames = process.process->frames;
    core::report_or_count(sink,
                          {&rules::entry_child_sum,
                           process.model->locate(frames, *row, static_cast<std::uint32_t>(frames.id[*row])),
                           fmt::format("callees exceed their caller in {} sums, all because of this frame, "
                                       "expected a different `parent`",
                                       faults.broken)});
    return;
  }
  for (const SumFault& fault : faults.faults) {
    core::report_lazily(sink, *fault.rule, [&fault] { return make_finding(fault); });
  }
}

void check_old_sums(const HeapView& view, core::FindingSink& sink) {
  const format::Entries& entries = view.heap->entries;
  const std::uint64_t total = entries.total_row().value_or(0);
  std::array<std::uint64_t, sums> sum{};
  for (const EntryView& entry : view.entries) {
    // Stacks and types divide up the same memory in two ways, so they are added up separately.
    const std::size_t first = entry.type == 0 ? 0 : 2;
    if (entry.row == total) continue;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::uint64_t value = (axis == 0 ? entries.size : entries.count)[entry.row];
      if (value != format::no_value) sum[first + axis] = core::saturating_add(sum[first + axis], value);
    }
  }
  for (std::size_t kind = 0; kind < sums; ++kind) {
    const std::uint64_t most = (kind % 2 == 0 ? entries.size : entries.count)[total];
    if (sum[kind] <= most) continue;
    core::report_or_count(
        sink,
        {kind < 2 ? &rules::entry_child_sum : &rules::entry_type_sum, view.dump->locate(*view.heap, total),
         fmt::format("the {} together have {}, expected at most the total of {}",
                     kind < 2 ? "stacks" : "types", core::counted(sum[kind], unit_of[kind]), most)});
    return;
  }
}

void check_type_rests(const HeapView& view, core::FindingSink& sink) {
  const TypeSums sizes = add_types(view, view.heap->entries.size);
  const TypeSums counts = add_types(view, view.heap->entries.count);
  for (std::size_t entry = 0; sizes.has_types && entry < view.entries.size(); ++entry) {
    if (view.entries[entry].type != 0) continue;
    if (!check_type_rest(view, entry, sizes, unit_of[0], sink)) continue;
    (void)check_type_rest(view, entry, counts, unit_of[1], sink);
  }
}

}  // namespace heapcheck::validation::chrome::legacy
