// The answer to a question about a heap: facts and a table, which can be written in every form of output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heapcheck::cli {

/// What the values of a column are, which determines how people read them.
enum class Unit : std::uint8_t {
  text,     ///< left-aligned; `<anon>` if it is empty
  label,    ///< the same for edges, which are `Unknown` without a label
  number,   ///< such as an id
  count,    ///< with separators between thousands
  bytes,    ///< such as `6.9 MiB`
  percent,  ///< of 1
};

struct Table;

/// A value: none, a number, a share, a text, numbers, or a table inside a row. Only JSON has the last two.
using Cell = std::variant<std::monostate, std::uint64_t, double, std::string, std::vector<std::uint64_t>,
                          std::vector<Table>>;

struct Column {
  std::string_view key;    ///< in JSON and CSV
  std::string_view label;  ///< for people; empty if the text leaves the column out
  Unit unit = Unit::text;
};

struct Table {
  std::string_view key = "rows";  ///< of the array in JSON
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< each with one cell per column
  /// The column with numbers by which the text indents its first column of text.
  std::optional<std::size_t> indent = {};
};

struct Answer {
  std::vector<std::pair<std::string_view, Cell>> facts =
      {};  ///< the members of the JSON document before the rows
  Table table = {};
  std::uint64_t left_out = 0;  ///< rows beyond the limit, of which the text tells the number
  /// What the text is instead of a table.
  std::optional<std::string> text = {};
};

/// The table for people, at most `most` rows of it (0: all), in columns two spaces apart.
std::string show_table(const Table& table, std::uint64_t most);
/// A size for people: `812 B`, `6.9 MiB`.
std::string show_bytes(std::uint64_t bytes);
/// A number with separators between thousands: `144,990`.
std::string show_count(std::uint64_t count);

/// The answer in the form `text`, `json` (one document), `ndjson` (one line for each row) or `csv` (RFC 4180,
/// with a line of names).
std::string write_answer(const Answer& answer, std::string_view form);

}  // namespace heapcheck::cli
