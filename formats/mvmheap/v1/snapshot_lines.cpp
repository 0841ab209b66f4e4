// The member functions of the version 1 reader that decide which lines belong to a snapshot.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/text/digits.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"
#include "formats/mvmheap/v1/reader.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr std::size_t number_reach = 64;

}  // namespace

/// The list that the part still lacks, or `snapshot` if it has both lists.
LineKind FrontReader::next_graph_line() {
  if (!seen(LineKind::collectables).here) return LineKind::collectables;
  return seen(LineKind::references).here ? LineKind::snapshot : LineKind::references;
}

/// Whether the part's references came before its `snapshot N` line, so that its own references may still
/// follow.
bool FrontReader::may_replace_references(const LinePart& part) const {
  return leading_ == LineKind::references && part.head.length != 0;
}

/// Whether a line found where `expected` should be belongs to `part`.
bool FrontReader::belongs_to(const LinePart& part, const FoundLine& found, LineKind expected) {
  if (expected == LineKind::snapshot) return found.kind == LineKind::references;
  return found.kind != LineKind::snapshot || is_own_head(part, found);
}

/// Whether a `snapshot N` line belongs to `part` rather than beginning the next snapshot, because it repeats
/// the previous line or because the part has no such line before its first list.
bool FrontReader::is_own_head(const LinePart& part, const FoundLine& found) {
  if (part.head.length != 0 && (seen(LineKind::collectables).here || seen(LineKind::references).here))
    return false;
  const auto bytes = window_->look(found.head.length + number_reach).subspan(found.head.length);
  const auto number = grammar::snapshot_number(bytes);
  return number && part.number == number->value;
}

/// Reads the number of a snapshot and the end of its line.
void FrontReader::read_number(LinePart& part) {
  const core::ByteSpan bytes = window_->look(number_reach);
  const auto number = grammar::snapshot_number(bytes);
  if (!number) return skip_bad_number(part, bytes);
  // After a wrong number, the correct next number is either the snapshot's position or, if snapshots were
  // lost, the wrong number plus 1.
  const bool goes_on = number->value == part.number || number->value + 1 == next_written_;
  if (!goes_on || core::digit_count(number->value) != number->byte_count) {
    report(rules::snapshot_number, {window_->offset(), number->byte_count},
           fmt::format("/snapshots/{}", part.index),
           fmt::format("snapshot number is {}, expected {}",
                       core::make_excerpt(core::as_text(bytes.first(number->byte_count))), part.number));
  }
  part.number = number->value;
  next_written_ = part.number + 1;
  if (goes_on) next_number_ = next_written_;
  window_->consume(number->byte_count);
  line_ends_.consume();
}

/// Reports an unreadable number at the start of `bytes`, which is what the window shows, and skips it.
void FrontReader::skip_bad_number(LinePart& part, core::ByteSpan bytes) {
  const std::uint64_t offset = window_->offset();
  const std::string path = fmt::format("/snapshots/{}", part.index);
  const std::string_view text = core::as_text(bytes);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_cut = digits == bytes.size();
  // The line end may have been replaced by a single other character.
  for (std::size_t length = digits; length <= digits + 1 && length < text.size(); ++length) {
    if (!grammar::line_head(bytes.subspan(length))) continue;
    window_->consume(length);
    return report(rules::line_joined, {offset + length, 0}, path,
                  "line starts right after a snapshot number, expected a line feed before it");
  }
  const std::string found = core::make_excerpt(text.substr(0, text.find_first_of("\r\n")));
  const std::uint64_t length = line_ends_.skip_line();
  if (is_cut)
    return report_truncation({part.head.offset, window_->offset() - part.head.offset}, path,
                             "inside the snapshot line");
  report(rules::snapshot_number, {offset, length}, path,
         fmt::format("snapshot number is \"{}\", expected {}", found, part.number));
}

/// Removes the list that came before the part's `snapshot N` line. The same list comes after this line, so
/// the earlier list is a misplaced list from another snapshot.
void FrontReader::drop_leading_list(LinePart& part) {
  const LineKind kind = *leading_;
  leading_ = std::nullopt;
  seen(kind) = {};
  std::erase_if(container_.lines,
                [&](const Line& line) { return line.kind == kind && line.part == part.index; });
  if (kind == LineKind::collectables) {
    part.snapshot.collectables = {};
    part.collectables.clear();
  } else {
    part.snapshot.references = {};
    part.references.clear();
  }
}

}  // namespace heapcheck::mvmheap::v1
