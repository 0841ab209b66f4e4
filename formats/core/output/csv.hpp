// Writes fields of comma-separated values (RFC 4180) from untrusted strings.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::core {

/// Whether spreadsheets would interpret a string as a formula.
[[nodiscard]] inline bool looks_like_formula(std::string_view text) {
  constexpr std::string_view beginnings = "=+-@'\t\r\n";
  return !text.empty() && beginnings.find(text.front()) != std::string_view::npos;
}

/// Appends a string as a field, in quotes if necessary; an empty string is written as `""`. Text that begins
/// with `=`, `+`, `-`, `@`, `'`, a tab, a carriage return or a line feed gets a leading `'`, because
/// spreadsheets would interpret it as a formula. A program that reads the field must remove one `'`.
/// https://owasp.org/www-community/attacks/CSV_Injection
inline void append_csv_field(std::string_view text, std::string& out) {
  const bool is_marked = looks_like_formula(text);
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    if (is_marked) out += '\'';
    out += text;
    return;
  }
  out += is_marked ? "\"'" : "\"";
  for (const char letter : text) out.append(letter == '"' ? 2 : 1, letter);
  out += '"';
}

}  // namespace heapcheck::core
