#include "recover/mvmheap/known_rows.hpp"

#include <algorithm>

#include "formats/core/finding_sink.hpp"
#include "recover/mvmheap/placeholders.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

/// Remembers whether a row has a fault.
class RowFault final : public core::FindingSink {
 public:
  explicit RowFault(bool has_warnings) : has_warnings_(has_warnings) {}

  void report(Finding finding) override {
    found_ = found_ || has_warnings_ || finding.rule->severity == Severity::error;
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return 1; }
  [[nodiscard]] bool found() const { return found_; }

 private:
  bool has_warnings_;
  bool found_ = false;
};

const validation::mvmheap::Locate no_place = [](validation::mvmheap::Field, std::uint64_t) {
  return Location{};
};

/// The rows from `first` up to `last` in which `check` finds a fault. `check` is called for each row
/// separately, because a finding may concern several rows.
template <class Check>
std::set<std::uint64_t> find_faulty_rows(std::uint64_t first, std::uint64_t last, bool has_warnings,
                                         Check&& check) {
  std::set<std::uint64_t> rows;
  for (std::uint64_t row = first; row < last; ++row) {
    RowFault fault(has_warnings);
    check(row, fault);
    if (fault.found()) rows.insert(rows.end(), row);
  }
  return rows;
}

/// The part without its graph.
model::Part rows_of(const model::Part& part) {
  model::Part rows;
  rows.before = part.before;
  rows.after = part.after;
  rows.types_known = part.types_known;
  rows.frames_known = part.frames_known;
  return rows;
}

}  // namespace

void KnownRows::add_all(const model::TableCounts& counts) {
  model::Part all;
  all.after = counts;
  add(all);
}

void KnownRows::add(const model::Part& part) {
  if (part.after == model::counts_unknown || part.is_cut) return;
  if (part.strings_placed) settle_strings(part);
  add_strings(part);
  types_held_ = types_hold_;
  frames_held_ = frames_hold_;
  add_types(rules_, part);
  add_frames(rules_, part);
  previous_ = rows_of(part);
}

/// Decides whether to use the strings before a part whose own strings have the right indices. If some of
/// these strings are lost, the rows of the previous part were checked against the wrong strings, so they are
/// checked again.
void KnownRows::settle_strings(const model::Part& part) {
  const model::LostStrings& lost = part.lost_strings;
  if (is_gap_left_ || (strings_hold_ && lost.count == 0)) return;
  const std::uint64_t first = lost.count == 0 ? counts_.strings : std::min(counts_.strings, lost.first);
  lost_.strings.erase(lost_.strings.lower_bound(first), lost_.strings.end());
  counts_.strings = first;
  is_gap_left_ = lost.count != 0 && !fills_gaps_;
  strings_hold_ = !is_gap_left_;
  if (is_gap_left_) return;
  counts_.strings = part.before.strings;
  has_filled_strings_ = true;
  Rules again(*tables_);  // `rules_` would treat the rows as duplicates of themselves
  lost_.strings.merge(find_faulty_strings(again, first, part.before.strings));
  for (std::uint64_t i = 0; i < lost.count; ++i) lost_.strings.insert(lost.first + i);
  types_hold_ = types_held_;
  frames_hold_ = frames_held_;
  lost_.types.erase(lost_.types.lower_bound(previous_.before.types), lost_.types.end());
  lost_.static_frames.erase(lost_.static_frames.lower_bound(previous_.before.static_frames),
                            lost_.static_frames.end());
  add_types(again, previous_);
  add_frames(again, previous_);
}

/// Whether a string contains the length of another string, so that its own length must be wrong. A single NUL
/// may be a damaged byte, but the lengths before strings contain several.
bool KnownRows::spans_strings(std::uint64_t index) const {
  return std::ranges::count(tables_->strings[model::StringIndex{index}], '\0') > 1;
}

/// Whether the part adds strings and refers to the last of them but to none after that. MoarVM adds a string
/// when it is first needed, so in this case, no string is missing or superfluous, even if the file does not
/// count its strings.
bool KnownRows::uses_last_string(const model::Part& part) const {
  const std::uint64_t after = part.after.strings;
  if (counts_.strings != part.before.strings || after <= part.before.strings || !part.has_whole_graph)
    return false;
  return std::max(find_needed_rows(part.snapshot).strings,
                  model::find_needed_strings(*tables_, part.before, part.after)) == after;
}

std::set<std::uint64_t> KnownRows::find_faulty_strings(Rules& rules, std::uint64_t first,
                                                       std::uint64_t last) const {
  return find_faulty_rows(first, last, is_damaged_, [&](std::uint64_t row, core::FindingSink& sink) {
    rules.check_nul(row, row + 1, no_place, sink);
    rules.check_strings(row, row + 1, no_place, sink);
  });
}

void KnownRows::add_strings(const model::Part& part) {
  const Rows faulty = find_faulty_strings(rules_, part.before.strings, part.after.strings);
  const bool is_framed =
      std::ranges::none_of(faulty, [this](std::uint64_t row) { return spans_strings(row); });
  strings_hold_ =
      strings_hold_ && is_framed && (part.strings_known || part.strings_placed || uses_last_string(part));
  if (!strings_hold_) return;
  counts_.strings = part.after.strings;
  lost_.strings.insert(faulty.begin(), faulty.end());
}

void KnownRows::add_types(Rules& rules, const model::Part& part) {
  const Rows faulty = find_faulty_rows(part.before.types, part.after.types, is_damaged_,
                                       [&](std::uint64_t row, core::FindingSink& sink) {
                                         rules.check_types(row, row + 1, counts_.strings, no_place, sink);
                                       });
  types_hold_ = types_hold_ && part.types_known && (strings_hold_ || faulty.empty());
  if (!types_hold_) return;
  counts_.types = part.after.types;
  lost_.types.insert(faulty.begin(), faulty.end());
}

void KnownRows::add_frames(Rules& rules, const model::Part& part) {
  const Rows faulty = find_faulty_rows(part.before.static_frames, part.after.static_frames, is_damaged_,
                                       [&](std::uint64_t row, core::FindingSink& sink) {
                                         rules.check_frames(row, row + 1, counts_.strings, no_place, sink);
                                       });
  frames_hold_ = frames_hold_ && part.frames_known && (strings_hold_ || faulty.empty());
  if (!frames_hold_) return;
  counts_.static_frames = part.after.static_frames;
  lost_.static_frames.insert(faulty.begin(), faulty.end());
}

}  // namespace heapcheck::recovery::mvmheap
