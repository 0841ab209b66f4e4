#include "fuzz/support/mutators/mvmheap_v1_mutator.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::fuzz::v1 {
namespace {

namespace format = mvmheap::v1;
using format::LineKind;

constexpr std::string_view name_separator = "\",\"";
constexpr std::size_t refs_start_field = 4;
constexpr std::size_t num_refs_field = 5;

/// The head of a line, which is empty if the line is unknown, and the items of the line.
struct Line {
  std::string head;
  std::vector<std::string> items;
};

bool is_of(const Line& line, LineKind kind) { return line.head == format::info_of(kind).head; }
std::string_view separator_of(const Line& line) {
  return is_of(line, LineKind::strings) ? name_separator : ";";
}

/// Returns at least one part, which may be empty.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::uint64_t get_number(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Line make_line(std::string_view text) {
  Line line;
  for (const format::LineInfo& info : format::lines) {
    if (text.starts_with(info.head)) line.head = info.head;
  }
  line.items = split(text.substr(line.head.size()), separator_of(line));
  return line;
}

void change_text(std::string& text) { text = change_bytes(text); }

void change_name(std::string& name, RandomChoices& choices) {
  constexpr std::array<std::string_view, 6> odd{"\"", "\\", "\\\"", "\n", "\"]\n", "\xC3\xBC"};
  if (choices.below(3) == 0) return change_text(name);
  name.insert(choices.below(name.size() + 1), odd[choices.below(odd.size())]);
}

void change_item(std::string& item, RandomChoices& choices) {
  if (choices.below(12) == 0) return change_text(item);
  auto fields = split(item, ",");
  if (choices.below(12) == 0) {
    change_order(fields, choices);
  } else {
    std::string& field = fields[choices.below(fields.size())];
    field = std::to_string(choose_near(choices, get_number(field)));
  }
  item = join(fields, ",");
}

void change_dump(std::vector<Line>& lines, RandomChoices& choices) {
  if (lines.empty()) return;
  Line& line = lines[choices.below(lines.size())];
  switch (choices.below(10)) {
    case 0:
      return change_order(lines, choices);
    case 1:
      line.head = format::lines[choices.below(format::line_kinds)].head;
      return;
    case 2:
      return change_text(line.head);
    case 3:
    case 4:
      return change_order(line.items, choices);
    default:
      break;
  }
  if (line.items.empty()) return;
  std::string& item = line.items[choices.below(line.items.size())];
  is_of(line, LineKind::strings) ? change_name(item, choices) : change_item(item, choices);
}

/// Distributes the references that follow each list of collectables among them, in order. The last
/// collectable gets the rest.
void share_references(std::vector<Line>& lines) {
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!is_of(lines[i], LineKind::collectables)) continue;
    const auto& references = lines[i + 1].items;
    std::uint64_t left = references == std::vector<std::string>{""} ? 0 : references.size();
    std::uint64_t start = 0;
    for (std::string& item : lines[i].items) {
      auto fields = split(item, ",");
      if (fields.size() != format::collectable_fields.size()) continue;
      const bool is_last = &item == &lines[i].items.back();
      const std::uint64_t count = is_last ? left : std::min(left, get_number(fields[num_refs_field]));
      fields[refs_start_field] = std::to_string(count == 0 ? 0 : start);
      fields[num_refs_field] = std::to_string(count);
      item = join(fields, ",");
      start += count;
      left -= count;
    }
  }
}

}  // namespace

Bytes mutate(core::ByteSpan bytes, RandomChoices& choices) {
  std::vector<Line> lines;
  for (const std::string& text : split(core::as_text(bytes), "\n")) lines.push_back(make_line(text));
  for (std::size_t i = 0, changes = 1 + choices.below(3); i < changes; ++i) change_dump(lines, choices);
  if (choices.below(2) == 0) share_references(lines);
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(line.head + join(line.items, separator_of(line)));
  const std::string joined = join(texts, "\n");
  return {joined.begin(), joined.end()};
}

}  // namespace heapcheck::fuzz::v1
