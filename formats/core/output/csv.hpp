// Writes fields of comma-separated values (RFC 4180) whose texts are not to be trusted.
#pragma once

#include <string>
#include <string_view>

namespace heapcheck::core {

/// Appends a text as a field, in quotes if it has to be; an empty text is `""`. A text that begins with
/// `=`, `+`, `-`, `@`, `'`, a tab, a carriage return or a line feed gets a `'` before it: spreadsheets would
/// take it for a formula, and a reader removes one `'`. https://owasp.org/www-community/attacks/CSV_Injection
void append_csv_field(std::string_view text, std::string& out);

}  // namespace heapcheck::core
