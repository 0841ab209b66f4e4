#include "formats/mvmheap/v1/line_finder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr std::size_t head_reach = 64;

/// The maximum number of characters in a head that may be added, missing or changed.
constexpr std::size_t most_damage = 2;

/// The number of characters between the common prefix and the common suffix of `text` and `head`.
std::size_t count_differences(std::string_view text, std::string_view head) {
  const std::size_t shorter = std::min(text.size(), head.size());
  std::size_t front = 0;
  while (front < shorter && text[front] == head[front]) ++front;
  std::size_t back = 0;
  while (back < shorter - front && text[text.size() - 1 - back] == head[head.size() - 1 - back]) ++back;
  return std::max(text.size(), head.size()) - front - back;
}

/// Whether `text` begins like the content that comes after the head of a line.
bool is_content(std::string_view text, LineKind kind) {
  if (text.empty()) return true;
  if (kind == LineKind::strings) return text.front() == '"' || text.front() == ']';
  return (text.front() >= '0' && text.front() <= '9') ||
         (is_table(kind) && (text.front() == '\n' || text.front() == '\r'));
}

/// Whether `text` could be the beginning of a head that was cut off.
bool is_cut_head(std::string_view text) {
  return std::ranges::any_of(lines, [text](const LineInfo& info) { return info.head.starts_with(text); });
}

}  // namespace

std::optional<std::size_t> find_damaged_head(std::string_view line, LineKind kind) {
  const std::string_view head = info_of(kind).head;
  std::size_t least = most_damage + 1;
  std::optional<std::size_t> found;
  for (std::size_t length = head.size() - most_damage; length <= head.size() + most_damage; ++length) {
    if (length > line.size() || !is_content(line.substr(length), kind)) continue;
    const std::size_t differences = count_differences(line.substr(0, length), head);
    if (differences >= least) continue;
    least = differences;
    found = length;
  }
  return found;
}

void LineFinder::report(const Rule& rule, Span place, const std::string& path, std::string message) {
  core::report_or_count(*sink_, {&rule, {place, std::nullopt, path}, std::move(message)});
}

std::optional<FoundLine> LineFinder::find(LineKind expected, const std::string& path) {
  skipped_unknown_ = false;
  ended_in_head_ = false;
  is_damaged_ = false;
  ignored_count_ = 0;
  std::optional<FoundLine> found;
  while (!found && !ended_in_head_ && !window_->at_end()) {
    if (skip_ignored()) continue;
    end_offset_ = window_->offset();
    found = recognise(expected, path);
  }
  if (!found && !ended_in_head_) end_offset_ = window_->offset();
  bool is_expected = expected == LineKind::snapshot && !ended_in_head_;
  if (found) {
    const bool is_other_table = is_table(found->kind) && is_table(expected);
    is_expected = !is_damaged_ && (found->kind == expected || is_other_table);
  }
  // Tables follow one another without empty lines, in any order.
  if (found && is_table(found->kind)) empty_line_ = EmptyLine::none;
  if (is_expected && !skipped_unknown_) report_ignored(path);
  empty_line_ = EmptyLine::none;
  return found;
}

/// Reports superfluous lines before the line that was just found, or a missing empty line.
void LineFinder::report_ignored(const std::string& path) {
  if (empty_line_ == EmptyLine::required) {
    report(rules::line_empty, {end_offset_, 0}, path, "found no empty line, expected one here");
  }
  if (ignored_count_ != 0) {
    report(rules::line_ignored, ignored_, path,
           fmt::format("found {}, expected none", core::counted(ignored_count_, "empty line or comment")));
  }
}

/// Skips an empty line or a comment. Returns whether there was one.
bool LineFinder::skip_ignored() {
  const std::uint64_t start = window_->offset();
  const bool is_comment = window_->peek(1).front() == '#';
  if (is_comment) {
    line_ends_->skip_line();
  } else if (!line_ends_->consume()) {
    return false;
  }
  if (!is_comment && empty_line_ != EmptyLine::none) {
    empty_line_ = EmptyLine::none;
    return true;
  }
  if (ignored_count_++ == 0) ignored_.offset = start;
  ignored_.length = window_->offset() - ignored_.offset;
  return true;
}

/// Recognises the line at the front of the window by its head. Skips a line that cannot be recognised.
std::optional<FoundLine> LineFinder::recognise(LineKind expected, const std::string& path) {
  const core::ByteSpan bytes = window_->look(head_reach);
  if (const auto kind = grammar::line_head(bytes))
    return FoundLine{*kind, {window_->offset(), info_of(*kind).head.size()}};
  if (bytes.size() < head_reach && is_cut_head(core::as_text(bytes))) {
    window_->consume(bytes.size());
    ended_in_head_ = true;
    return std::nullopt;
  }
  return recognise_damaged(core::as_text(bytes), expected, path);
}

/// Skips a line and returns its length. If a line was overwritten with NULs up to and including its end,
/// skips only the NULs.
std::uint64_t LineFinder::skip_unknown_line() {
  const std::uint64_t start = window_->offset();
  while (!window_->at_end() && window_->peek(1).front() == 0) window_->consume(1);
  const std::uint64_t nuls = window_->offset() - start;
  if (nuls != 0 && grammar::line_head(window_->look(head_reach))) return nuls;
  return nuls + line_ends_->skip_line();
}

std::optional<FoundLine> LineFinder::recognise_damaged(std::string_view text, LineKind expected,
                                                       const std::string& path) {
  const std::uint64_t start = window_->offset();
  const std::string_view head = info_of(expected).head;
  const auto length = find_damaged_head(text, expected);
  const bool is_described = sink_->wanted(rules::line_unknown) != 0;
  const std::string_view begin = text.substr(0, length ? *length : text.find('\n'));
  const std::string excerpt = is_described ? core::make_opening(begin, 24) : std::string();
  const std::uint64_t line = length ? *length : skip_unknown_line();
  core::report_lazily(*sink_, rules::line_unknown, [&] {
    return Finding{&rules::line_unknown,
                   {{start, line}, std::nullopt, path},
                   fmt::format("line begins with \"{}\", expected \"{}\"", excerpt, head)};
  });
  is_damaged_ = length.has_value();
  skipped_unknown_ = skipped_unknown_ || !length;
  return length ? std::optional(FoundLine{expected, {start, *length}}) : std::nullopt;
}

}  // namespace heapcheck::mvmheap::v1
