#include "formats/mvmheap/v1/line_finder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/core/excerpt.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr std::size_t head_reach = 64;

/// How far a head may be from what it should be: characters more, less or in its place.
constexpr std::size_t most_damage = 2;

/// Characters of `text` and `head` between what they have in common at the front and at the back.
std::size_t count_differences(std::string_view text, std::string_view head) {
  const std::size_t shorter = std::min(text.size(), head.size());
  std::size_t front = 0;
  while (front < shorter && text[front] == head[front]) ++front;
  std::size_t back = 0;
  while (back < shorter - front && text[text.size() - 1 - back] == head[head.size() - 1 - back]) ++back;
  return std::max(text.size(), head.size()) - front - back;
}

/// How many bytes at the front of a line stand for `head`, which is damaged.
std::optional<std::size_t> find_damaged_head(std::string_view line, std::string_view head) {
  const std::size_t content = std::min(line.find_first_of("0123456789\n\""), line.size());
  if (content + most_damage < head.size() || content > head.size() + most_damage) return std::nullopt;
  if (count_differences(line.substr(0, content), head) > most_damage) return std::nullopt;
  return content;
}

/// Whether `text` could be the front of a line's head that was cut off.
bool is_cut_head(std::string_view text) {
  return std::ranges::any_of(lines, [text](const LineInfo& info) { return info.head.starts_with(text); });
}

}  // namespace

void LineFinder::report(const core::Rule& rule, core::Span place, const std::string& path,
                        std::string message) {
  if (sink_->wanted(rule) == 0) return sink_->report_more(rule, 1);
  sink_->report({&rule, {place, std::nullopt, path}, std::move(message)});
}

std::optional<FoundLine> LineFinder::find(LineKind expected, const std::string& path) {
  skipped_unknown_ = false;
  ended_in_head_ = false;
  while (!window_->at_end()) {
    if (skip_ignored(path)) continue;
    end_offset_ = window_->offset();
    if (auto found = recognise(expected, path)) {
      if (is_empty_line_due_ && !is_table(found->kind)) report_missing_empty_line(path);
      is_empty_line_due_ = false;
      return found;
    }
    if (ended_in_head_) return std::nullopt;
  }
  end_offset_ = window_->offset();
  if (is_empty_line_due_) report_missing_empty_line(path);
  return std::nullopt;
}

void LineFinder::report_missing_empty_line(const std::string& path) {
  is_empty_line_due_ = false;
  report(rules::line_empty, {window_->offset(), 0}, path,
         "line follows the one before, required is an empty line between them");
}

/// Steps over an empty line or a comment; says whether there was one.
bool LineFinder::skip_ignored(const std::string& path) {
  const std::uint64_t start = window_->offset();
  const core::ByteSpan bytes = window_->peek(2);
  if (bytes.front() == '#') {
    const std::uint64_t length = line_ends_->skip_line();
    report(rules::line_ignored, {start, length}, path, "line is a comment, MoarVM writes none");
    return true;
  }
  if (!line_ends_->consume()) return false;
  if (is_empty_line_due_) {
    is_empty_line_due_ = false;
  } else {
    report(rules::line_ignored, {start, window_->offset() - start}, path,
           "line is empty where MoarVM writes none");
  }
  return true;
}

/// The line at the window's front by its head. Steps over a line that cannot be recognised.
std::optional<FoundLine> LineFinder::recognise(LineKind expected, const std::string& path) {
  const core::ByteSpan bytes = window_->peek(head_reach);
  const std::uint64_t start = window_->offset();
  if (const auto kind = grammar::line_head(bytes))
    return FoundLine{*kind, {start, info_of(*kind).head.size()}};
  const std::string_view text = core::as_text(bytes.first(std::min(bytes.size(), head_reach)));
  if (bytes.size() < head_reach && is_cut_head(text)) {
    window_->consume(bytes.size());
    ended_in_head_ = true;
    return std::nullopt;
  }
  const std::string_view head = info_of(expected).head;
  if (const auto length = find_damaged_head(text, head)) {
    report(rules::line_unknown, {start, *length}, path,
           fmt::format("line begins with \"{}\", required is \"{}\"",
                       core::make_excerpt(text.substr(0, *length)), head));
    return FoundLine{expected, {start, *length}};
  }
  const std::string excerpt = core::make_excerpt(text.substr(0, text.find('\n')), 24);
  skipped_unknown_ = true;
  const std::uint64_t length = line_ends_->skip_line();
  report(rules::line_unknown, {start, length}, path,
         fmt::format("line begins with \"{}\", required is \"{}\"", excerpt, head));
  return std::nullopt;
}

}  // namespace heapcheck::mvmheap::v1
