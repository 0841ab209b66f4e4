#include "fuzz/support/mutators/json_mutation.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "formats/core/text/parse_number.hpp"
#include "fuzz/support/mutators/mutation.hpp"

namespace heapcheck::fuzz {
namespace {

constexpr std::size_t widest_row = 12;

}  // namespace

std::string_view JsonMutation::value_of(const JsonItem& item) const {
  return std::string_view(text_).substr(item.begin, item.end - item.begin);
}

/// Returns the key with its quotes, or an empty string if there is none.
std::string_view JsonMutation::key_of(const JsonItem& item) const {
  return std::string_view(text_).substr(item.first, item.key_end - item.first);
}

std::vector<JsonMutation::Index> JsonMutation::list_children(Index container) const {
  std::vector<Index> children;
  if (container == JsonItem::no_parent) return children;
  for (Index i = container + 1; i < items_.size() && items_[i].begin < items_[container].end; ++i) {
    if (items_[i].parent == container) children.push_back(i);
  }
  return children;
}

/// Returns the possible widths of a row in an array of `count` numbers: the lengths of the lists of names in
/// the document that divide `count`, or any width if there are none.
std::vector<std::size_t> JsonMutation::list_widths(std::size_t count) const {
  std::vector<std::size_t> widths;
  for (const JsonItem& item : items_) {
    const bool is_list = item.kind == JsonKind::array && item.child_count == item.string_count;
    if (is_list && item.child_count > 1 && item.child_count <= widest_row && count % item.child_count == 0) {
      widths.push_back(item.child_count);
    }
  }
  for (std::size_t width = 2; widths.empty() && width <= widest_row; ++width) widths.push_back(width);
  return widths;
}

/// Chooses either any value, or a container and then a value in it, so that small containers are not
/// neglected.
JsonMutation::Index JsonMutation::choose_item() {
  std::vector<Index> containers;
  for (Index i = 0; i < items_.size(); ++i) {
    if (items_[i].child_count != 0) containers.push_back(i);
  }
  if (containers.empty() || below(2) == 0) return static_cast<Index>(below(items_.size()));
  const auto children = list_children(containers[below(containers.size())]);
  return children[below(children.size())];
}

/// Chooses a key in the document, with its quotes.
std::string JsonMutation::choose_key() {
  std::vector<const JsonItem*> members;
  for (const JsonItem& item : items_) {
    if (item.has_key()) members.push_back(&item);
  }
  if (members.empty()) return "\"\"";
  return std::string(key_of(*members[below(members.size())]));
}

void JsonMutation::apply() {
  items_ = list_json_items(text_);
  if (items_.empty()) return;
  if (below(20) == 0) {
    change_tail();
  } else {
    change_item(choose_item());
  }
  perform_edits();
}

/// Appends a byte to the text, usually a space, or replaces the last byte after the document. The last byte
/// controls many targets, and a space does not change the document.
void JsonMutation::change_tail() {
  constexpr std::string_view blanks = " \t\r\n";
  const char last = below(4) == 0 ? static_cast<char>(below(256)) : blanks[below(blanks.size())];
  const bool has_tail = items_[0].end < text_.size();
  replace(text_.size() - (has_tail && below(2) == 0 ? 1 : 0), text_.size(), std::string(1, last));
}

void JsonMutation::change_item(Index item) {
  const Index parent = items_[item].parent;
  const bool is_in_array = parent != JsonItem::no_parent && items_[parent].kind == JsonKind::array;
  if (is_in_array && below(3) == 0) return change_rows(item);
  switch (below(8)) {
    case 0:
      return replace(items_[item].begin, items_[item].end, make_other_value());
    case 1:
      return change_key(items_[item]);
    case 2:
      return wrap(items_[item]);
    case 3:
    case 4:
      return move(item);
    default:
      return change_value(items_[item]);
  }
}

void JsonMutation::change_value(const JsonItem& item) {
  const std::string_view old = value_of(item);
  if (item.kind == JsonKind::scalar) return replace(item.begin, item.end, make_scalar(old));
  if (item.kind == JsonKind::string) return replace(item.begin, item.end, make_string(old));
  const bool is_object = item.kind == JsonKind::object;
  replace(item.begin, item.end, below(4) == 0 ? (is_object ? "{}" : "[]") : make_other_value());
}

void JsonMutation::change_key(const JsonItem& item) {
  if (!item.has_key()) return change_value(item);
  replace(item.first, item.key_end, below(4) == 0 ? make_string(key_of(item)) : choose_key());
}

/// Wraps a value in an array or object, or replaces a container with its content.
void JsonMutation::wrap(const JsonItem& item) {
  const std::string_view value = value_of(item);
  if (item.is_container() && value.size() >= 2 && below(2) == 0) {
    return replace(item.begin, item.end, std::string(value.substr(1, value.size() - 2)));
  }
  const bool in_array = below(2) == 0;
  replace(item.begin, item.end,
          in_array ? "[" + std::string(value) + "]" : "{" + choose_key() + ":" + std::string(value) + "}");
}

/// Removes an item, duplicates it, swaps it with the next one, or moves it.
void JsonMutation::move(Index item) {
  const auto siblings = list_children(items_[item].parent);
  if (siblings.empty()) return change_value(items_[item]);
  const auto place = static_cast<std::size_t>(std::ranges::find(siblings, item) - siblings.begin());
  const std::size_t next = std::min(place + 1, siblings.size() - 1);
  switch (below(4)) {
    case 0:
      return remove(siblings, place, place + 1);
    case 1:
      return copy(siblings, place, place + 1, below(siblings.size()));
    case 2:
      if (next == place) return;
      copy(siblings, place, place + 1, next);
      return remove(siblings, place, place + 1);
    default:
      if (below(2) == 0) remove(siblings, place, place + 1);
      return insert(choose_item(), items_[item]);
  }
}

/// Inserts a copy of `item` at the front of the container at `place`, or after the value there.
void JsonMutation::insert(Index place, const JsonItem& item) {
  const bool at_front = items_[place].is_container() && below(2) == 0;
  const Index container = at_front ? place : items_[place].parent;
  if (container == JsonItem::no_parent) return;
  std::string member(value_of(item));
  if (items_[container].kind == JsonKind::object) {
    member.insert(0, (item.has_key() ? std::string(key_of(item)) : choose_key()) + ":");
  }
  if (!at_front) return replace(items_[place].end, items_[place].end, "," + member);
  const std::size_t begin = items_[place].begin + 1;
  replace(begin, begin, items_[place].child_count == 0 ? member : member + ",");
}

/// Changes a row of the array that contains `item`. If sibling arrays have the same length, changes the same
/// row in each of them; otherwise, changes a row of numbers in the array.
void JsonMutation::change_rows(Index item) {
  const Index array = items_[item].parent;
  const bool has_columns = std::ranges::any_of(items_, [&](const JsonItem& other) {
    return &other != &items_[array] && other.kind == JsonKind::array && other.has_key() &&
           other.parent == items_[array].parent && other.child_count == items_[array].child_count;
  });
  const auto widths = list_widths(items_[array].child_count);
  if (has_columns) return change_columns(array, below(items_[array].child_count));
  change_row(array, widths[below(widths.size())]);
}

/// Removes or duplicates a whole row, and adjusts the counts that may belong to the rows.
void JsonMutation::change_row(Index array, std::size_t width) {
  const auto values = list_children(array);
  const std::size_t rows = values.size() / width;
  if (rows == 0) return;
  const std::size_t row = below(rows) * width;
  if (below(3) == 0) {
    remove(values, row, row + width);
    return adjust_counts(rows, rows - 1);
  }
  copy(values, row, row + width, below(2) == 0 ? values.size() - 1 : below(rows) * width + width - 1);
  adjust_counts(rows, rows + 1);
}

/// Removes or duplicates the value of one row in `array` and in each sibling array of the same length.
void JsonMutation::change_columns(Index array, std::size_t row) {
  const bool is_removed = below(2) == 0;
  for (const Index column : list_children(items_[array].parent)) {
    if (items_[column].kind != JsonKind::array || items_[column].child_count != items_[array].child_count) {
      continue;
    }
    const auto values = list_children(column);
    is_removed ? remove(values, row, row + 1) : copy(values, row, row + 1, values.size() - 1);
  }
}

/// Adjusts counts only half the time, so that readers also see wrong counts.
void JsonMutation::adjust_counts(std::size_t before, std::size_t after) {
  if (below(2) == 0) return;
  const std::string old = std::to_string(before);
  for (const JsonItem& item : items_) {
    if (key_of(item).ends_with("count\"") && value_of(item) == old) {
      replace(item.begin, item.end, std::to_string(after));
    }
  }
}

/// Removes siblings together with the comma before or after them.
void JsonMutation::remove(const std::vector<Index>& siblings, std::size_t from, std::size_t to) {
  const bool is_last = to == siblings.size();
  const JsonItem& first = items_[siblings[from]];
  const std::size_t begin = is_last && from != 0 ? items_[siblings[from - 1]].end : first.first;
  replace(begin, is_last ? items_[siblings[to - 1]].end : items_[siblings[to]].first, {});
}

/// Inserts a copy of siblings after the sibling `target`.
void JsonMutation::copy(const std::vector<Index>& siblings, std::size_t from, std::size_t to,
                        std::size_t target) {
  const std::size_t begin = items_[siblings[from]].first;
  const std::size_t end = items_[siblings[to - 1]].end;
  const std::size_t place = items_[siblings[target]].end;
  replace(place, place, "," + text_.substr(begin, end - begin));
}

void JsonMutation::replace(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text)});
}

/// Applies the last edit first, so that the positions of the others remain valid. If two edits overlap,
/// leaves out one of them.
void JsonMutation::perform_edits() {
  std::ranges::sort(edits_, std::ranges::greater{},
                    [](const Edit& edit) { return std::pair(edit.begin, edit.end); });
  std::size_t last = text_.size();
  for (const Edit& edit : edits_) {
    if (edit.end > last) continue;
    text_.replace(edit.begin, edit.end - edit.begin, edit.text);
    last = edit.begin;
  }
  edits_.clear();
}

/// Returns a common value, or a copy of a value in the document.
std::string JsonMutation::make_other_value() {
  constexpr std::array<std::string_view, 10> usual{"null", "true", "false", "0",  "-1",
                                                   "1",    "\"\"", "\"0\"", "[]", "{}"};
  if (below(2) == 0) return std::string(usual[below(usual.size())]);
  return std::string(value_of(items_[choose_item()]));
}

std::string JsonMutation::make_scalar(std::string_view old) {
  const auto number = core::parse_number(old);
  if (!number) return below(2) == 0 ? make_odd_number(old) : make_other_value();
  const std::size_t width = 2 + below(widest_row - 1);
  const std::uint64_t limit = (std::uint64_t{1} << below(64)) - 1;
  switch (below(10)) {
    case 0:
      return std::to_string(*number + 1);
    case 1:
      return std::to_string(*number - 1);
    case 2:
      return std::to_string(*number ^ (std::uint64_t{1} << below(64)));
    case 3:
      return std::to_string(limit + below(3));
    case 4:
      return std::to_string(below(40));
    case 5:
      return std::to_string(*number + (below(2) == 0 ? width : 0 - width));
    case 6:
      return std::to_string(*number / width * width);
    case 7:
      return make_odd_number(old);
    default:
      break;
  }
  const JsonItem& other = items_[choose_item()];
  return other.kind == JsonKind::scalar ? std::string(value_of(other)) : std::to_string(below(1000));
}

/// Returns the number in a different form, or a boundary value.
std::string JsonMutation::make_odd_number(std::string_view old) {
  constexpr std::array<std::string_view, 18> odd{"-0",
                                                 "-1",
                                                 "0.5",
                                                 "1e3",
                                                 "1e400",
                                                 "1E-400",
                                                 "00",
                                                 "2147483647",
                                                 "-2147483648",
                                                 "-2147483649",
                                                 "4294967295",
                                                 "4294967296",
                                                 "4294967297",
                                                 "9007199254740991",
                                                 "9007199254740992",
                                                 "9223372036854775808",
                                                 "18446744073709551615",
                                                 "18446744073709551616"};
  switch (below(6)) {
    case 0:
      return "-" + std::string(old);
    case 1:
      return std::string(old) + (below(2) == 0 ? ".5" : ".0");
    case 2:
      return std::string(old) + (below(2) == 0 ? "e2" : "E-1");
    default:
      return std::string(odd[below(odd.size())]);
  }
}

/// `old` and the result include the quotes.
std::string JsonMutation::make_string(std::string_view old) {
  const std::string_view content = old.substr(1, std::max<std::size_t>(old.size(), 2) - 2);
  switch (below(8)) {
    case 0:
      return choose_key();
    case 1:
    case 2: {
      const JsonItem& other = items_[choose_item()];
      return other.kind == JsonKind::string ? std::string(value_of(other)) : choose_key();
    }
    case 3:
      return '"' + make_scalar(content) + '"';
    case 4: {
      std::array<char, 16> digits{};
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                     core::parse_number(content, 16).value_or(below(100)) + below(3) - 1, 16);
      return (below(2) == 0 ? "\"0x" : "\"") + std::string(digits.data(), end.ptr) + '"';
    }
    case 5:
      return '"' + make_escaped(std::string(content)) + '"';
    default:
      return '"' + change_bytes(content) + '"';
  }
}

/// Inserts something unusual into the content of a string, or makes the content long.
std::string JsonMutation::make_escaped(std::string content) {
  constexpr std::array<std::string_view, 12> pieces{
      "\\u0041", "\\u0000", "\\ud83d", "\\ude00", "\\ud83d\\ude00", "\\n",
      "\\\"",    "\\\\",    "\\/",     "\\x",     "\xc3\xbc",       "\xff"};
  if (below(4) == 0 && content.size() < 1000) {
    for (std::size_t doublings = 1 + below(8); doublings != 0; --doublings) content += content;
    return content;
  }
  content.insert(below(content.size() + 1), pieces[below(pieces.size())]);
  return content;
}

}  // namespace heapcheck::fuzz
