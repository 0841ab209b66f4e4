#include "recover/mvmheap/known_rows.hpp"

#include <algorithm>

#include "formats/core/finding_sink.hpp"
#include "recover/mvmheap/placeholders.hpp"

namespace heapcheck::recovery::mvmheap {
namespace {

/// Collects the rows that findings are about.
class FaultyRows final : public core::FindingSink {
 public:
  explicit FaultyRows(bool has_warnings) : has_warnings_(has_warnings) {}

  void report(Finding finding) override {
    if (!has_warnings_ && finding.rule->severity != Severity::error) return;
    const Span& rows = finding.location.file;
    for (std::uint64_t row = rows.offset; row < rows.end(); ++row) rows_.insert(row);
  }
  void skip(Skip) override {}
  void report_more(const Rule&, std::uint64_t) override {}
  [[nodiscard]] std::uint64_t wanted(const Rule&) const override { return UINT64_MAX; }
  [[nodiscard]] const std::set<std::uint64_t>& rows() const { return rows_; }

 private:
  bool has_warnings_;
  std::set<std::uint64_t> rows_;
};

/// Passes the index of a row to FaultyRows as an offset, and the number of rows as a length.
const validation::mvmheap::Locate locate_row = [](validation::mvmheap::Field, std::uint64_t row) {
  return Location{.file = {row, 1}};
};

}  // namespace

void KnownRows::add_all(const model::TableCounts& counts) {
  model::Part all;
  all.after = counts;
  add(all);
}

void KnownRows::add(const model::Part& part) {
  if (part.after == model::counts_unknown || part.is_cut) return;
  add_strings(part);
  add_types(part);
  add_frames(part);
}

/// Whether a string contains the length of another one, so that its own length must be wrong. A damaged byte
/// may be a NUL, but the numbers before strings contain several.
bool KnownRows::spans_strings(std::uint64_t index) const {
  return std::ranges::count(tables_->strings[model::StringIndex{index}], '\0') > 1;
}

/// Whether the part adds strings, and it refers to the last of them but to none after it. MoarVM adds a
/// string when something first needs it, so none is missing or too much, even if the file does not count
/// them.
bool KnownRows::uses_last_string(const model::Part& part) const {
  const std::uint64_t after = part.after.strings;
  if (counts_.strings != part.before.strings || after <= part.before.strings || !part.has_whole_graph)
    return false;
  return std::max(find_needed_rows(part.snapshot).strings, find_needed_strings(*tables_, part)) == after;
}

void KnownRows::add_strings(const model::Part& part) {
  FaultyRows faulty(is_damaged_);
  rules_.check_nul(part.before.strings, part.after.strings, locate_row, faulty);
  rules_.check_strings(part.before.strings, part.after.strings, locate_row, faulty);
  const bool is_framed =
      std::ranges::none_of(faulty.rows(), [this](std::uint64_t row) { return spans_strings(row); });
  strings_hold_ = strings_hold_ && is_framed && (part.strings_known || uses_last_string(part));
  if (!strings_hold_) return;
  counts_.strings = part.after.strings;
  lost_.strings.insert(faulty.rows().begin(), faulty.rows().end());
}

void KnownRows::add_types(const model::Part& part) {
  FaultyRows faulty(is_damaged_);
  rules_.check_types(part.before.types, part.after.types, counts_.strings, locate_row, faulty);
  types_hold_ = types_hold_ && part.types_known && (strings_hold_ || faulty.rows().empty());
  if (!types_hold_) return;
  counts_.types = part.after.types;
  lost_.types.insert(faulty.rows().begin(), faulty.rows().end());
}

void KnownRows::add_frames(const model::Part& part) {
  FaultyRows faulty(is_damaged_);
  rules_.check_frames(part.before.static_frames, part.after.static_frames, counts_.strings, locate_row,
                      faulty);
  frames_hold_ = frames_hold_ && part.frames_known && (strings_hold_ || faulty.rows().empty());
  if (!frames_hold_) return;
  counts_.static_frames = part.after.static_frames;
  lost_.static_frames.insert(faulty.rows().begin(), faulty.rows().end());
}

}  // namespace heapcheck::recovery::mvmheap
