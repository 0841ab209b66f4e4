#include "formats/mvmheap/v1/broken_item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"
#include "formats/mvmheap/v1/faults.hpp"
#include "formats/mvmheap/v1/grammar.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

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
    // If there are too many or too few fields, an empty one is due to a misplaced separator, not to a bad
    // number.
    if (is_number(fields[i]) || (fields[i].empty() && !has_all)) continue;
    return describe_field(
        item, i, fields[i], rules::item_number,
        fmt::format("field is \"{}\", expected a decimal number", core::make_excerpt(fields[i])));
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t limit_of(LineKind kind, std::size_t field) {
  if (kind != LineKind::references || field > 1) return UINT64_MAX;
  return field == 0 ? max_reference_kind : max_reference_index;
}

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

}  // namespace heapcheck::mvmheap::v1
