// Writes a table as comma-separated values (RFC 4180, but with line feeds). The first line has the names of
// the columns. A missing value is an empty field, and an empty text is "".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "export/tables/table.hpp"
#include "formats/core/output_file.hpp"

namespace heapcheck::exports::tables {

/// Appends a text as a field, in quotes if it has to be. A text that begins with one of `= + - @ '`, a tab or
/// a carriage return gets a `'` before it, because spreadsheets would take it for a formula.
/// https://owasp.org/www-community/attacks/CSV_Injection
void append_csv_field(std::string_view text, std::string& out);

/// Borrows the table and the sink.
[[nodiscard]] std::unique_ptr<TableWriter> open_csv(const Table& table, core::ByteSink& sink);

}  // namespace heapcheck::exports::tables
