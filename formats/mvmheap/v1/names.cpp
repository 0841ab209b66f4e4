#include "formats/mvmheap/v1/names.hpp"

#include <algorithm>

#include "formats/mvmheap/v1/layout.hpp"

namespace heapcheck::mvmheap::v1 {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Reproduces a bug in MoarVM's writer: a special character is not escaped in a name that begins with it.
bool is_escaped(char special, std::string_view name) { return name.empty() || name.front() != special; }

/// The first line feed in `text` at or after `start` that is followed by text that looks like tables, or npos
/// if there is none.
std::size_t find_tables(std::string_view text, std::size_t start = 0) {
  for (std::size_t at = text.find('\n', start); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (starts_tables(core::as_bytes(text.substr(at + 1)))) return at;
  }
  return std::string_view::npos;
}

/// `text` with U+FFFD in place of each line feed that is followed by text that looks like tables.
std::string break_tables(std::string_view text) {
  std::string broken;
  std::size_t taken = 0;
  for (std::size_t at = find_tables(text); at != std::string_view::npos; at = find_tables(text, at + 1)) {
    broken += text.substr(taken, at - taken);
    broken += replacement;
    taken = at + 1;
  }
  broken += text.substr(taken);
  return broken;
}

/// Whether `text`, together with its closing quote, contains a sequence that ends a name whose quotes are not
/// escaped.
bool holds_name_end(std::string_view text) {
  const std::string closed = std::string(text) + '"';
  return closed.find("\",\"") != std::string::npos || closed.find("\"]\n") != std::string::npos ||
         closed.find("\"]\r") != std::string::npos;
}

bool is_plain(std::string_view name) { return is_escaped('"', name) && is_escaped('\\', name); }

}  // namespace

void encode_name(std::string_view name, std::string& out) {
  const bool escapes_quotes = is_escaped('"', name);
  const bool escapes_backslashes = is_escaped('\\', name);
  for (const char c : name) {
    if ((c == '"' && escapes_quotes) || (c == '\\' && escapes_backslashes)) out.push_back('\\');
    out.push_back(c);
  }
}

std::size_t encoded_name_bytes(std::string_view name) {
  const auto count = [name](char c) {
    return is_escaped(c, name) ? static_cast<std::size_t>(std::ranges::count(name, c)) : 0;
  };
  return name.size() + count('"') + count('\\');
}

std::optional<std::size_t> decode_name(std::string_view text, std::string& out) {
  const bool quotes = is_escaped('"', text);
  const bool backslashes = is_escaped('\\', text);
  std::optional<std::size_t> wrong;
  if (text.starts_with("\\\"")) wrong = 0;  // a quote at the start of a name is not escaped
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      const bool escapes = (next == '"' && quotes) || (next == '\\' && backslashes);
      if (escapes) ++i;
      if (!escapes && backslashes && !wrong) wrong = i;
    }
    out.push_back(text[i]);
  }
  return wrong;
}

bool starts_tables(core::ByteSpan bytes) {
  std::string_view text = core::as_text(bytes.first(std::min(bytes.size(), starts_tables_bytes)));
  const std::string_view head = info_of(LineKind::types).head;
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  const std::size_t end = text.find_first_not_of("0123456789,;");
  if (end == std::string_view::npos) return bytes.size() >= starts_tables_bytes;
  text.remove_prefix(end);
  if (text.starts_with('\r')) text.remove_prefix(1);
  if (!text.starts_with('\n')) return false;
  return text.substr(1).starts_with(info_of(LineKind::static_frames).head);
}

bool can_hold(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) return false;
  if (find_tables(name) != std::string_view::npos) return false;
  if (is_plain(name)) return true;
  std::string text;
  encode_name(name, text);
  return !holds_name_end(text);
}

std::string make_holdable(std::string_view name) {
  std::string held;
  for (const char c : name) {
    if (c == '\0') {
      held += replacement;
    } else {
      held.push_back(c);
    }
  }
  held = break_tables(held);
  return can_hold(held) ? held : std::string(replacement) + held;
}

}  // namespace heapcheck::mvmheap::v1
