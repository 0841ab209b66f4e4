#include "validate/chrome/legacy/sum_rules.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "formats/core/checked.hpp"
#include "validate/chrome/legacy/entry_rules.hpp"
#include "validate/chrome/legacy/rules.hpp"

namespace heapcheck::validate::chrome::legacy {
namespace {

/// What the value of an entry must be enough for: the sum of its callees or of its types, in bytes or
/// objects.
enum class Sum : std::uint8_t { callee_size, callee_count, type_size, type_count };
constexpr std::size_t sums = 4;
constexpr std::array<std::string_view, sums> parts_of{"callees", "callees", "types", "types"};
constexpr std::array<std::string_view, sums> unit_of{"bytes", "objects", "bytes", "objects"};

class Checker {
 public:
  Checker(HeapView& view, core::FindingSink& sink) : view_(&view), sink_(&sink), count_(view.entries.size()) {
    for (auto& column : sum_) column.assign(count_, 0);
    for (auto& column : is_open_) column.assign(count_, false);
  }

  void run();

 private:
  /// The entry whose callees, or whose types, this one is among; nowhere where there is none.
  [[nodiscard]] std::size_t whole_of(std::size_t entry, std::size_t sum) const {
    return (sum < 2 ? view_->caller : view_->total)[entry];
  }
  [[nodiscard]] std::uint64_t value(std::size_t entry, std::size_t sum) const {
    const format::Entries& entries = view_->heap->entries;
    const std::uint32_t row = view_->entries[entry].row;
    return sum % 2 == 0 ? entries.size[row] : entries.count[row];
  }
  [[nodiscard]] bool is_broken(std::size_t entry, std::size_t sum) const {
    const std::uint64_t whole = value(entry, sum);
    return whole != format::no_value && !is_open_[sum][entry] && sum_[sum][entry] > whole;
  }
  bool add_up();
  void count_broken();
  [[nodiscard]] bool is_too_large(std::size_t entry, std::size_t sum) const;
  void find_culprits();
  void report(std::size_t entry);
  void report_part(std::size_t entry, std::size_t whole, std::size_t sum);

  HeapView* view_;
  core::FindingSink* sink_;
  std::size_t count_;
  std::array<std::vector<std::uint64_t>, sums> sum_;    // by entry, of its parts
  std::array<std::vector<bool>, sums> is_open_;         // by entry, whether a part has no value
  std::vector<std::uint32_t> broken_;                   // by entry, in how many broken sums it is
  std::array<std::vector<std::size_t>, sums> culprit_;  // by entry, of its broken sum
};

void Checker::run() {
  if (!add_up() || check_places(*view_, *sink_)) return;
  count_broken();
  find_culprits();
  std::vector<bool> is_culprit(count_);
  for (std::size_t entry = 0; entry < count_; ++entry) {
    for (std::size_t sum = 0; sum < sums; ++sum) {
      if (is_broken(entry, sum)) is_culprit[culprit_[sum][entry]] = true;
    }
  }
  for (std::size_t entry = 0; entry < count_; ++entry) {
    if (is_culprit[entry]) report(entry);
  }
}

/// Whether any sum is broken.
bool Checker::add_up() {
  for (std::size_t sum = 0; sum < sums; ++sum) {
    for (std::size_t entry = 0; entry < count_; ++entry) {
      const std::size_t whole = whole_of(entry, sum);
      if (whole == nowhere) continue;
      const std::uint64_t part = value(entry, sum);
      if (part == format::no_value) {
        is_open_[sum][whole] = true;
      } else {
        sum_[sum][whole] = core::saturating_add(sum_[sum][whole], part);
      }
    }
  }
  for (std::size_t sum = 0; sum < sums; ++sum) {
    for (std::size_t entry = 0; entry < count_; ++entry) {
      if (is_broken(entry, sum)) return true;
    }
  }
  return false;
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

/// Whether the entry is larger than the whole alone, and no other sum that it is in says that it is not too
/// large.
bool Checker::is_too_large(std::size_t entry, std::size_t sum) const {
  const std::size_t other = whole_of(entry, (sum + 2) % sums);
  return other == nowhere && value(entry, sum) > value(whole_of(entry, sum), sum);
}

/// Of each broken sum, the entry in it that is in the most broken sums; where they are equal, the whole,
/// unless a part is too large.
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

/// Reports the first broken sum that the entry is to blame for.
void Checker::report(std::size_t entry) {
  for (std::size_t sum = 0; sum < sums; ++sum) {
    const std::size_t whole = whole_of(entry, sum);
    if (whole != nowhere && is_broken(whole, sum) && culprit_[sum][whole] == entry) {
      return report_part(entry, whole, sum);
    }
    if (!is_broken(entry, sum) || culprit_[sum][entry] != entry) continue;
    core::report_or_count(*sink_, {sum < 2 ? &rules::entry_child_sum : &rules::entry_type_sum,
                                   view_->dump->locate(*view_->heap, view_->entries[entry].row),
                                   fmt::format("has {} {}, its {} have {} together", value(entry, sum),
                                               unit_of[sum], parts_of[sum], sum_[sum][entry])});
    return;
  }
}

void Checker::report_part(std::size_t entry, std::size_t whole, std::size_t sum) {
  const bool is_larger = value(entry, sum) > value(whole, sum);
  const core::Rule& rule = sum >= 2    ? rules::entry_type_sum
                           : is_larger ? rules::entry_child_exceeds_parent
                                       : rules::entry_child_sum;
  const std::string_view above = sum < 2 ? "caller" : "stack over all types";
  core::report_or_count(
      *sink_,
      {&rule,
       view_->dump->locate(*view_->heap, view_->entries[entry].row),
       is_larger ? fmt::format("has {} {}, its {} has {}", value(entry, sum), unit_of[sum], above,
                               value(whole, sum))
                 : fmt::format("has {} {}, with others more than its {}, which has {}", value(entry, sum),
                               unit_of[sum], above, value(whole, sum)),
       {{view_->dump->locate(*view_->heap, view_->entries[whole].row), fmt::format("its {}", above)}}});
}

}  // namespace

void check_sums(HeapView& view, core::FindingSink& sink) { Checker(view, sink).run(); }

void check_type_rests(const HeapView& view, core::FindingSink& sink) {
  const format::Entries& entries = view.heap->entries;
  std::vector<std::uint64_t> sum(view.entries.size());
  bool has_types = false;
  for (std::size_t entry = 0; entry < view.entries.size(); ++entry) {
    if (view.total[entry] == nowhere) continue;
    has_types = true;
    std::uint64_t& total = sum[view.total[entry]];
    total = core::saturating_add(total, entries.size[view.entries[entry].row]);
  }
  for (std::size_t entry = 0; has_types && entry < view.entries.size(); ++entry) {
    const std::uint64_t size = entries.size[view.entries[entry].row];
    if (view.entries[entry].type != 0 || size == format::no_value || sum[entry] >= size) continue;
    core::report_or_count(
        sink, {&rules::entry_type_rest, view.dump->locate(*view.heap, view.entries[entry].row),
               fmt::format("has {} bytes, its types have {} together; with a threshold of 0 they are equal",
                           size, sum[entry])});
  }
}

}  // namespace heapcheck::validate::chrome::legacy
