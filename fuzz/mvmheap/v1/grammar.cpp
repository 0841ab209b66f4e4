// Property: each production accepts the same text as a plain scan, and rejects text that is too short.
#include "formats/mvmheap/v1/grammar.hpp"

#include <charconv>
#include <string>

#include "fuzz/support/decoding.hpp"

using namespace heapcheck;
using namespace heapcheck::mvmheap::v1;
using fuzz::require;

namespace {

/// The number at the start of `text`: digits whose value fits in 64 bits.
std::optional<std::uint64_t> decode_number(std::string_view text, std::size_t& length) {
  length = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + length, value);
  return length != 0 && result.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

std::size_t decode_line_end(std::string_view text) {
  if (text.starts_with('\n')) return 1;
  return text.starts_with("\r\n") ? 2 : 0;
}

void check_item(core::ByteSpan bytes) {
  std::string_view text = core::as_text(bytes);
  const auto item = grammar::item(bytes);
  for (std::size_t field = 0;; ++field) {
    std::size_t length = 0;
    const auto number = decode_number(text, length);
    const bool goes_on = length < text.size() && text[length] == ',';
    if (!number || (!goes_on && length < text.size()))
      return require(!item, "an item consists of numbers and commas");
    require(!item || field >= item->fields.size() || item->fields[field] == number,
            "the numbers of an item are in order");
    if (!goes_on) return require(item.has_value(), "every comma-separated list of numbers is an item");
    text.remove_prefix(length + 1);
  }
}

void check_lines(core::ByteSpan bytes) {
  const std::string_view text = core::as_text(bytes);
  require(grammar::line_end(bytes).value_or(0) == decode_line_end(text), "a line ends with a line feed");
  const auto kind = grammar::line_head(bytes);
  const auto head =
      std::ranges::find_if(lines, [text](const LineInfo& line) { return text.starts_with(line.head); });
  require(kind.has_value() == (head != lines.end()), "a line with a known head is recognised");
  require(!kind || info_of(*kind).head == head->head, "the head of a line determines its kind");
  require(grammar::separator(bytes) == text.starts_with("\",\""), "a separator is recognised");
  const bool ends = text.starts_with("\"]") && decode_line_end(text.substr(2)) != 0;
  require(grammar::strings_end(bytes).has_value() == ends, "the end of the strings is recognised");
  const std::size_t feed = text.find('\n');
  const bool is_ignored =
      decode_line_end(text) != 0 || (text.starts_with('#') && feed != std::string_view::npos);
  require(grammar::ignored_line(bytes).has_value() == is_ignored, "empty lines and comments are recognised");
  std::size_t length = 0;
  const auto number = decode_number(text, length);
  const bool is_number = number && decode_line_end(text.substr(length)) != 0;
  require(grammar::snapshot_number(bytes).has_value() == is_number, "the number of a snapshot is recognised");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_fronts({data, size}, check_item);
  fuzz::check_fronts({data, size}, check_lines);
  return 0;
}
