#include "recover/v8/heapsnapshot/repaired_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>

#include "formats/core/text/utf8.hpp"
#include "formats/v8/heapsnapshot/layout.hpp"

namespace heapcheck::recovery::v8::heapsnapshot {
namespace {

namespace format = heapcheck::v8::heapsnapshot;

/// The longest element that can be repaired, including what follows it.
constexpr std::size_t longest_element = 64 * 1024;
/// After this many errors, the text is assumed to be something else.
constexpr std::uint64_t most_errors = 1000;

/// The number of control characters that are kept from a run.
constexpr std::size_t longest_run = 8;

bool is_control(unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

constexpr std::string_view space = " \t\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text starting at the first character that is not white space.
std::string_view skip_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(space), text.size()));
}

std::string_view trim(std::string_view text) {
  text = skip_space(text);
  return text.substr(0, text.find_last_not_of(space) + 1);
}

/// Whether the text is an integer that JSON allows. It must not begin with a 0 followed by other digits.
bool is_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.size() > 1 && text.starts_with('0')) return false;
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Whether an array ends here, that is, whether the text begins with a bracket that is followed by another
/// member or the end.
bool ends_array(std::string_view text) {
  if (!text.starts_with(']')) return false;
  text = skip_space(text.substr(1));
  if (text.starts_with(',')) text = skip_space(text.substr(1));
  return text.empty() || text.starts_with('"') || text.starts_with('}');
}

/// Whether the text begins with a quote that does not end a string.
bool begins_string(std::string_view text) {
  if (!text.starts_with('"')) return false;
  text = skip_space(text.substr(1));
  return !text.starts_with(',') && !text.starts_with(']');
}

/// The length of a complete escape sequence at the start of the text, or 0 if there is none.
std::size_t measure_escape(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] != 'u') return std::string_view("\"\\/bfnrt").find(text[1]) == std::string_view::npos ? 0 : 2;
  const std::string_view digits = text.substr(2, 4);
  const bool is_complete = digits.size() == 4 &&
                           std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
  return is_complete ? 6 : 0;
}

/// A string without its quotes, and the number of bytes up to the next element.
struct RepairedString {
  std::string text;
  std::size_t byte_count = 0;
  bool is_closed = false;
  bool is_last = false;
  bool was_changed = false;
};

/// Reads the content of a string, and everything after it up to the next element.
class StringRepairer {
 public:
  explicit StringRepairer(std::string_view text) : text_(text) {}

  RepairedString repair() {
    while (at_ < text_.size() && !repaired_.is_closed) repair_character();
    repaired_.byte_count = at_;
    return std::move(repaired_);
  }

 private:
  void repair_character() {
    const std::string_view rest = text_.substr(at_);
    const auto c = static_cast<unsigned char>(rest[0]);
    if (c == '"') return repair_quote();
    if (c == '\n' && rest.substr(1).starts_with('"') && repaired_.text.ends_with(','))
      return close_unquoted();
    if (c == '\\') return keep(rest.substr(0, measure_escape(rest)), "\\\\");
    if (c < 0x20) return keep({}, fmt::format("\\u{:04x}", c));
    const auto code = core::decode_utf8(core::as_bytes(rest.substr(0, 4)));
    keep(rest.substr(0, code ? code->byte_count : 0), "\\ufffd");
  }

  /// Copies `text` or, if that is empty, writes `instead` in place of the next byte.
  void keep(std::string_view text, std::string_view instead) {
    repaired_.text += text.empty() ? instead : text;
    repaired_.was_changed |= text.empty();
    at_ += std::max<std::size_t>(text.size(), 1);
  }

  /// A quote ends the string if it is followed by a comma, by the end of the array, or by any single byte and
  /// another quote.
  void repair_quote() {
    const std::string_view next = skip_space(text_.substr(at_ + 1));
    const bool is_end = ends_array(next);
    const bool lost_comma = !next.empty() && begins_string(skip_space(next.substr(1)));
    if (!is_end && !next.starts_with(',') && !lost_comma) return keep({}, "\\\"");
    repaired_.was_changed |= !is_end && !next.starts_with(',');
    repaired_.is_closed = true;
    repaired_.is_last = is_end;
    at_ = text_.size() - next.size() + (is_end ? 0 : 1);
  }

  /// Ends a string whose closing quote before a comma was lost.
  void close_unquoted() {
    repaired_.text.pop_back();
    repaired_.is_closed = repaired_.was_changed = true;
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  RepairedString repaired_;
};

}  // namespace

bool ControlRunFilter::drops(unsigned char c) {
  run_ = is_control(c) ? run_ + 1 : 0;
  return run_ > longest_run;
}

Result<std::size_t> ControlRunFilter::read(core::MutableByteSpan buffer) {
  for (;;) {
    const auto count = source_->read(buffer);
    if (!count || *count == 0) return count;
    const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(*count);
    const auto kept = std::remove_if(buffer.begin(), end, [this](unsigned char c) { return drops(c); });
    if (kept != buffer.begin()) return static_cast<std::size_t>(kept - buffer.begin());
  }
}

Result<std::size_t> RepairedSource::read(core::MutableByteSpan buffer) {
  if (read_ == repaired_.size()) {
    repaired_.clear();
    read_ = 0;
    while (repaired_.size() < longest_element && !window_.at_end()) repair_some();
    if (repaired_.empty() && window_.error()) return std::unexpected(*window_.error());
  }
  const std::size_t count = std::min(buffer.size(), repaired_.size() - read_);
  std::memcpy(buffer.data(), repaired_.data() + read_, count);
  read_ += count;
  return count;
}

void RepairedSource::repair_some() {
  const std::string_view text = core::as_text(window_.look(longest_element));
  if (errors_ > most_errors) part_ = Part::rest;
  switch (part_) {
    case Part::other:
      return copy_other(text);
    case Part::numbers:
      return repair_number(text);
    case Part::strings:
      return repair_string(text);
    case Part::rest:
      return copy(text);
  }
}

void RepairedSource::copy(std::string_view text) {
  repaired_ += text;
  take(text.size());
}

/// Copies text up to the next array.
void RepairedSource::copy_other(std::string_view text) {
  constexpr std::size_t longest_key = 64;
  const std::size_t end = text.find('[');
  text = text.substr(0, end == std::string_view::npos ? end : end + 1);
  before_ += text;
  if (before_.size() > longest_key) before_.erase(0, before_.size() - longest_key);
  copy(text);
  if (end != std::string_view::npos) begin_array();
}

/// Identifies the array that begins here by its key.
void RepairedSource::begin_array() {
  std::string_view key = trim(std::string_view(before_).substr(0, before_.size() - 1));
  if (!key.ends_with(':')) return;
  key = trim(key.substr(0, key.size() - 1));
  if (!key.ends_with('"')) return;
  key.remove_suffix(1);
  const auto section = format::find_section(key.substr(key.rfind('"') + 1));
  if (!section || *section == format::Section::trace_tree) return;
  part_ = is_flat(*section) ? Part::numbers : Part::strings;
  is_first_ = true;
}

void RepairedSource::repair_number(std::string_view text) {
  std::size_t end = text.find_first_of(",]");
  while (end < text.size() && text[end] == ']' && !ends_array(text.substr(end)))
    end = text.find_first_of(",]", end + 1);
  if (end >= text.size()) {
    part_ = Part::rest;
    return copy(text);
  }
  const std::string_view element = text.substr(0, end);
  const bool is_last = text[end] == ']';
  const bool is_sound = is_number(element) || (is_last && is_first_ && trim(element).empty());
  repaired_ += is_sound ? element : "null";
  repaired_ += text[end];
  errors_ += is_sound ? 0U : 1U;
  is_first_ = false;
  if (is_last) part_ = Part::other;
  take(end + 1);
}

void RepairedSource::repair_string(std::string_view text) {
  const std::string_view element = skip_space(text);
  if (ends_array(element)) {
    part_ = Part::other;
    return copy(text.substr(0, text.size() - element.size() + 1));
  }
  const bool has_quote = element.starts_with('"');
  RepairedString string = StringRepairer(element.substr(has_quote ? 1 : 0)).repair();
  if (!string.is_closed) {
    part_ = Part::rest;
    return copy(text);
  }
  errors_ += string.was_changed || !has_quote ? 1U : 0U;
  fmt::format_to(std::back_inserter(repaired_), "\"{}\"{}", string.text, string.is_last ? "" : ",");
  take(text.size() - element.size() + (has_quote ? 1 : 0) + string.byte_count);
}

}  // namespace heapcheck::recovery::v8::heapsnapshot
