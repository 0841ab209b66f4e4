// The answer to a question about a heap: facts and a table, which can be written in every form of output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heapcheck/types/no_value.hpp"

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

/// A value: none, a number, a share, a text, a list of numbers, which only JSON and CSV have, or a table
/// inside a row, which only JSON has.
using Cell =
    std::variant<NoValue, std::uint64_t, double, std::string, std::vector<std::uint64_t>, std::vector<Table>>;

struct Column {
  std::string_view key;    ///< in JSON and CSV; empty if they leave the column out
  std::string_view label;  ///< for people; empty if the text leaves the column out
  Unit unit = Unit::text;
  /// Of the lists in this column, if all are equally long: CSV has a field for each of their numbers.
  std::uint64_t length = 0;
};

struct Table {
  std::string_view key = "rows";  ///< of the array in JSON
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< each with one cell per column
  /// The column with numbers by which the text indents its first column of text.
  std::optional<std::size_t> indent = {};
};

/// Rows that are made when they are shown, because there may be millions of them.
struct LaterRows {
  std::size_t count = 0;
  std::function<std::vector<Cell>(std::size_t index)> make = {};
};

struct Answer {
  std::vector<std::pair<std::string_view, Cell>> facts =
      {};  ///< the members of the JSON document before the rows
  Table table = {};
  LaterRows later_rows = {};   ///< come after those of the table
  std::uint64_t left_out = 0;  ///< rows beyond the limit, of which the text tells the number
  std::string_view more_hint = "--limit N shows N rows";  ///< how to see them
  bool is_limited = true;                                 ///< whether --limit applies
  std::string text_before = {};                           ///< what the text has before the table
  std::string text_after = {};                            ///< and after it
  /// What the text is instead of a table.
  std::optional<std::string> text = {};
};

/// The number of rows, including those that are not made yet.
std::size_t count_rows(const Answer& answer);
/// The answer with only the rows from `first` on, at most `most` of them, all of which are made;
/// fewer if `stop` is requested.
Answer take_rows(const Answer& answer, std::size_t first, std::size_t most, const std::stop_token& stop = {});

/// The table for people, at most `most` rows of it, in columns two spaces apart.
std::string show_table(const Table& table, std::size_t most = SIZE_MAX);
/// A size for people: `812 B`, `6.9 MiB`.
std::string show_bytes(std::uint64_t bytes);
/// A number with separators between thousands: `144,990`.
std::string show_count(std::uint64_t count);

/// The answer in the form `text`, `json` (one document), `ndjson` (one line for each row) or `csv` (RFC 4180,
/// with a line of names).
std::string write_answer(const Answer& answer, std::string_view form);

}  // namespace heapcheck::cli
