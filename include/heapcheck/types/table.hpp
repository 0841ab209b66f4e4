// The answer to a question about heaps: facts and a table, which can be written in every form of output; and
// the values of the options of questions. Values that own their memory, except that texts of type
// std::string_view are literals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heapcheck/types/no_value.hpp"

namespace heapcheck {

/// The value of an option: nothing if it is not given; otherwise a flag, a count or a size in bytes, a
/// percentage, or one or more strings.
using OptionValue = std::variant<NoValue, bool, std::uint64_t, double, std::string, std::vector<std::string>>;
/// The values of options, by name.
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

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
/// inside a row, which only JSON has: the only element.
using Cell =
    std::variant<NoValue, std::uint64_t, double, std::string, std::vector<std::uint64_t>, std::vector<Table>>;

/// What the cells of the rows at one place have in common.
struct Column {
  std::string_view key;    ///< in JSON and CSV; empty if they leave the column out
  std::string_view label;  ///< for people; empty if the text leaves the column out
  Unit unit = Unit::text;  ///< of its values
  /// Of the lists in this column, if all are equally long: CSV has a field for each of their numbers.
  std::uint64_t length = 0;
};

/// Rows of cells.
struct Table {
  std::string_view key = "rows";             ///< of the array in JSON
  std::vector<Column> columns = {};          ///< at least one
  std::vector<std::vector<Cell>> rows = {};  ///< each with one cell per column
  /// The column with numbers by which the text indents its first column of text.
  std::optional<std::size_t> indent = {};
};

/// Rows that are made when they are shown, because there may be millions of them.
struct LaterRows {
  std::size_t count = 0;  ///< rows
  /// Makes one of them. Shares what it needs, such as the graph, and may be called by one thread at a time.
  std::function<std::vector<Cell>(std::size_t index)> make = {};
};

/// A sentence about an answer, without its full stop.
struct Remark {
  /// What the sentence says.
  enum class Kind : std::uint8_t {
    note,       ///< what the answer leaves out, or what may be a mistake
    violation,  ///< that a condition of the option `fail-on` holds
  };

  Kind kind = Kind::note;  ///< for programs
  std::string text;        ///< for people; may change in any version
};

/// The answer to a question.
struct Answer {
  /// The members of the JSON document before the rows, by their keys.
  std::vector<std::pair<std::string_view, Cell>> facts = {};
  Table table = {};                                       ///< rows, or the first of them
  LaterRows later_rows = {};                              ///< come after those of the table
  std::size_t limit = SIZE_MAX;                           ///< the most rows that are written
  std::uint64_t left_out = 0;                             ///< rows that are in neither of them
  std::string_view more_hint = "--limit N shows N rows";  ///< how people see them
  bool is_limited = true;        ///< whether rows can be left out; otherwise, the question left some out
  std::string text_before = {};  ///< what the text has before the table
  std::string text_after = {};   ///< and after it
  std::optional<std::string> text = {};  ///< what the text is instead of a table
  std::vector<Remark> remarks = {};      ///< in the order in which people read them
};

/// The form in which an answer is written.
enum class AnswerForm : std::uint8_t {
  text,    ///< for people
  json,    ///< one document, as described by spec/answers/
  ndjson,  ///< one line for each row
  csv,     ///< RFC 4180, with a line of names
};

}  // namespace heapcheck
