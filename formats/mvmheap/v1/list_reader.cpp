#include "formats/mvmheap/v1/list_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/digits.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/mvmheap/v1/faults.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

/// More bytes than any item has, whether it was written by MoarVM or by a person.
constexpr std::size_t item_reach = 512;
constexpr std::size_t rows_reach = 64 * 1024;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool goes_on(char c) { return is_digit(c) || c == ',' || c == ';'; }

/// An item of a list that cannot be read.
struct BrokenItem {
  LineKind kind = LineKind::types;  ///< the kind of its list
  std::string path;                 ///< `/snapshots/0/references/7`
  std::string_view text;            ///< the text in the file, or only its beginning if the item is too long
  std::uint64_t offset = 0;         ///< the offset of its first byte
  bool is_too_long = false;
  std::optional<std::size_t> split;  ///< the position of a line feed inside it
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool fits(std::string_view number, std::uint64_t limit) {
  const auto item = grammar::item(core::as_bytes(number));
  return item && item->fields[0] <= limit;
}

std::vector<std::string_view> split_fields(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    fields.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return fields;
}

Finding describe_whole(const BrokenItem& item, const Rule& rule, std::string message) {
  return {&rule, {{item.offset, item.text.size()}, std::nullopt, item.path}, std::move(message)};
}

Finding describe_field(const BrokenItem& item, std::size_t index, std::string_view text, const Rule& rule,
                       std::string message) {
  const auto start = static_cast<std::size_t>(text.data() - item.text.data());
  const auto names = info_of(item.kind).fields;
  const std::string path = index < names.size() ? fmt::format("{}/{}", item.path, names[index]) : item.path;
  return {&rule, {{item.offset + start, text.size()}, std::nullopt, path}, std::move(message)};
}

/// Describes the first field that is not a number.
std::optional<Finding> find_no_number(const BrokenItem& item, const std::vector<std::string_view>& fields) {
  const bool has_all = fields.size() == info_of(item.kind).fields.size();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    // If there are too many or too few fields, an empty field is due to a misplaced separator, not to a bad
    // number.
    if (is_number(fields[i]) || (fields[i].empty() && !has_all)) continue;
    return describe_field(
        item, i, fields[i], rules::item_number,
        fmt::format("field is \"{}\", expected a decimal number", core::make_excerpt(fields[i])));
  }
  return std::nullopt;
}

/// The largest value that a field can contain.
std::uint64_t limit_of(LineKind kind, std::size_t field) {
  if (kind != LineKind::references || field > 1) return UINT64_MAX;
  return field == 0 ? max_reference_kind : max_reference_index;
}

/// Returns an mvm1.line.split or mvm1.item.* finding. Its message is about the first field that is not a
/// number. If all fields are numbers, it reports a wrong number of fields or, if their number is correct, the
/// first number that is too large.
Finding describe(const BrokenItem& item) {
  if (item.split) {
    return {&rules::line_split,
            {{item.offset + *item.split, 1}, std::nullopt, item.path},
            "line ends inside a list, expected the next number"};
  }
  const std::size_t wanted = info_of(item.kind).fields.size();
  if (item.text.empty() || item.is_too_long) {
    return describe_whole(
        item, rules::item_fields,
        fmt::format("item is {}, expected {} numbers", item.text.empty() ? "empty" : "too long", wanted));
  }
  const auto fields = split_fields(item.text);
  if (auto finding = find_no_number(item, fields)) return std::move(*finding);
  // If a separator is missing, two numbers look like one large number, so numbers are only judged if no
  // separator is missing.
  for (std::size_t i = 0; i < fields.size() && fields.size() == wanted; ++i) {
    const std::uint64_t limit = limit_of(item.kind, i);
    if (fits(fields[i], limit)) continue;
    return describe_field(
        item, i, fields[i], rules::item_range,
        fmt::format("number is {}, expected at most {}", core::make_excerpt(fields[i]), limit));
  }
  return describe_whole(
      item, rules::item_fields,
      fmt::format("item has {}, expected {}", core::counted(fields.size(), "field"), wanted));
}

bool is_in_range(const grammar::Item& item, LineKind kind) {
  for (std::size_t field = 0; field < info_of(kind).fields.size(); ++field) {
    if (item.fields[field] > limit_of(kind, field)) return false;
  }
  return true;
}

/// The number of bytes that the item takes up without leading zeros.
std::size_t plain_length(const grammar::Item& item) {
  std::size_t length = item.count == 0 ? 0 : item.count - 1;
  for (std::size_t field = 0; field < item.count; ++field) length += core::digit_count(item.fields[field]);
  return length;
}

/// The position in `text` at which another line begins, or npos if none does.
std::size_t find_line_head(std::string_view text) {
  std::size_t first = std::string_view::npos;
  for (const LineInfo& line : lines) first = std::min(first, text.find(line.head));
  return first;
}

}  // namespace

ListOutcome ListReader::read(const ListTarget& target) {
  target_ = &target;
  outcome_ = {};
  block_.count = 0;
  target.places->add(0, window_->offset());
  ended_ = line_ends_->consume();
  while (!ended_) {
    read_rows();
    if (!ended_ && block_.count < RowBlock::capacity) read_item();
  }
  flush();
  flush_broken();
  return outcome_;
}

/// Reads well-formed rows block by block. Nearly all rows are well-formed.
void ListReader::read_rows() {
  for (;;) {
    const core::ByteSpan bytes = window_->peek(rows_reach);
    const std::size_t taken = decode_rows(bytes, field_count(), block_);
    if (taken != 0) flush_broken();
    window_->consume(taken);
    if (block_.count < RowBlock::capacity && (taken == 0 || bytes.size() < rows_reach)) return;
    if (block_.count == RowBlock::capacity) flush();
    if (ended_) return;
  }
}

/// The extent of the item at the front of the window, whether or not it is well-formed.
ListReader::Extent ListReader::find_extent() {
  const std::string_view bytes = core::as_text(window_->look(item_reach + 1));
  Extent extent;
  for (; extent.length < std::min(bytes.size(), item_reach); ++extent.length) {
    const char c = bytes[extent.length];
    const bool goes_on_after = extent.length + 1 < bytes.size() && goes_on(bytes[extent.length + 1]);
    if (c == ';' || (c == '\n' && !goes_on_after)) {
      extent.end = c;
      break;
    }
    if (c == '\n' && !extent.split) extent.split = extent.length;
  }
  return extent;
}

/// Reads the item at the front of the window.
void ListReader::read_item() {
  const Extent extent = find_extent();
  std::string_view text = core::as_text(window_->look(extent.length));
  if (extent.end == '\0') {
    if (extent.length == item_reach) return read_long_item();
    outcome_.end = ListEnd::file;
    outcome_.cut = {window_->offset(), extent.length};
    outcome_.whole = false;
    ended_ = true;
    return;
  }
  if (extent.end == '\n' && text.ends_with('\r')) text.remove_suffix(1);
  take_item(text, extent);
}

/// Skips text that is too long for an item, up to the start of the next item or line.
void ListReader::read_long_item() {
  const std::string text(core::as_text(window_->look(item_reach)));
  if (take_joined(text)) return;
  begin_broken(text, {});
  char end = '\0';
  while (end == '\0' && !window_->at_end()) {
    const std::string_view bytes = core::as_text(window_->peek(1));
    const std::size_t at = bytes.find_first_of(";\n");
    if (at != std::string_view::npos) end = bytes[at];
    window_->skip_in_search(std::min(at, bytes.size()));
  }
  add_broken();
  end_item({0, end, {}});
}

void ListReader::take_item(std::string_view text, const Extent& extent) {
  if (!extent.split && take_sound(text)) {
    window_->consume(text.size());
    return end_item({extent.length - text.size(), extent.end, {}});
  }
  if (take_joined(text)) return;
  begin_broken(text, extent);
  const std::size_t length = text.size();
  window_->consume(length);
  add_broken();
  end_item({extent.length - length, extent.end, {}});
}

/// Consumes the separator or line end after an item, if the input has not ended.
void ListReader::end_item(const Extent& extent) {
  if (extent.end == ';') {
    window_->consume(extent.length + 1);
  } else {
    if (extent.end == '\n') line_ends_->consume();
    if (extent.end == '\0') outcome_.end = ListEnd::file;
    ended_ = true;
  }
}

/// Ends the list if another line begins in its last item.
bool ListReader::take_joined(std::string_view text) {
  const std::size_t head = find_line_head(text);
  if (head == std::string_view::npos) return false;
  const Span place{window_->offset() + head, 0};
  Finding finding{&rules::line_joined,
                  {place, std::nullopt, target_->path},
                  "line starts inside a list, expected a line feed before it"};
  const bool is_sound = take_sound(text.substr(0, head));
  window_->consume(head);
  if (!is_sound) {
    add_row({});
    outcome_.whole = false;
  }
  core::report_or_count(*sink_, std::move(finding));
  outcome_.joined = true;
  ended_ = true;
  return true;
}

/// Adds the row of an item if the item is readable. Returns whether it is readable.
bool ListReader::take_sound(std::string_view text) {
  const auto item = grammar::item(core::as_bytes(text));
  if (!item || item->count != field_count() || !is_in_range(*item, target_->kind)) return false;
  flush_broken();
  const bool is_plain = plain_length(*item) == text.size();
  if (!is_plain) {
    outcome_.whole = false;
    const Span place{window_->offset(), text.size()};
    core::report_or_count(*sink_, {&rules::item_leading_zero,
                                   {place, std::nullopt, fmt::format("{}/{}", target_->path, row())},
                                   fmt::format("item is {}, expected numbers without leading zeros",
                                               core::make_excerpt(text))});
  }
  add_row(*item);
  return true;
}

void ListReader::add_row(const grammar::Item& item) {
  if (block_.count == RowBlock::capacity) flush();
  for (std::size_t field = 0; field < field_count(); ++field) {
    block_.columns[field][block_.count] = item.fields[field];
  }
  ++block_.count;
}

/// Starts or continues a run of unreadable items with the item at the front of the window.
void ListReader::begin_broken(std::string_view text, const Extent& extent) {
  outcome_.whole = false;
  if (!broken_) {
    const std::string path = fmt::format("{}/{}", target_->path, row());
    broken_ =
        describe({target_->kind, path, text, window_->offset(), text.size() >= item_reach, extent.split});
  }
  broken_count_ += 1;
}

/// Adds a row for the item just before the window.
void ListReader::add_broken() {
  add_row({});
  Span& run = broken_->location.file;
  if (broken_count_ > 1) run.length = window_->offset() - run.offset;
}

/// Passes on the rows of the block and adds a mark for the next row. If the list has errors, only counts the
/// rows.
void ListReader::flush() {
  outcome_.count += block_.count;
  const bool goes_on = block_.count == 0 || !outcome_.whole || target_->take(block_);
  block_.count = 0;
  if (!goes_on) {
    outcome_.end = ListEnd::stopped;
    outcome_.whole = false;
    ended_ = true;
  } else if (outcome_.whole) {
    target_->places->add(outcome_.count, window_->offset());
  }
}

void ListReader::flush_broken() {
  if (broken_) core::report_or_count(*sink_, std::move(*broken_));
  broken_.reset();
  broken_count_ = 0;
}

}  // namespace heapcheck::mvmheap::v1
