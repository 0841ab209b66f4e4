// The answer to a question about heaps, and the values of the question's options. An answer consists of facts
// and a table and can be written in any output form. All of these types own their memory, except that strings
// of type std::string_view are literals.
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

#include "heapcheck/types/api.hpp"
#include "heapcheck/types/no_value.hpp"
#include "heapcheck/types/place.hpp"

namespace heapcheck {

/// The value of an option: nothing if the option is not given, and otherwise a flag, a count or size in
/// bytes, a percentage, or one or more strings.
using OptionValue = std::variant<NoValue, bool, std::uint64_t, double, std::string, std::vector<std::string>>;
/// The values of options, by name.
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

/// The unit of the values in a column. It determines how text output shows the values.
enum class Unit : std::uint8_t {
  text,     ///< left-aligned; `<anon>` if it is empty
  label,    ///< the same for edges, but `Unknown` if an edge has no label
  number,   ///< such as an id
  count,    ///< with thousands separators
  bytes,    ///< such as `6.9 MiB`
  percent,  ///< a share; 1 is 100%
  place,    ///< a place in source code; the text shows it after the row's name: `get (app.js:41)`
};

struct Table;

/// A value: nothing, yes or no, a number, a share, a string, a place, a list of numbers (in JSON and CSV
/// only), or a table inside a row (in JSON only). A table is the only element of its vector.
using Cell = std::variant<NoValue, bool, std::uint64_t, double, std::string, Place,
                          std::vector<std::uint64_t>, std::vector<Table>>;

/// The properties shared by all cells in a column.
struct Column {
  std::string_view key;    ///< the name in JSON and CSV; empty if they omit the column
  std::string_view label;  ///< the human-readable name; empty if the text omits the column
  Unit unit = Unit::text;  ///< the unit of its values
  /// The length of the lists in this column if they all have the same length. If it is set, CSV has one field
  /// for each number.
  std::uint64_t length = 0;
};

/// Rows of cells.
struct Table {
  std::string_view key = "rows";             ///< the key of the array in JSON
  std::vector<Column> columns = {};          ///< at least one
  std::vector<std::vector<Cell>> rows = {};  ///< each with one cell per column
  /// The column whose numbers determine how far the text output indents its first text column.
  std::optional<std::size_t> indent = {};
};

/// Rows that are made only when they are shown, because there may be millions of them.
struct LaterRows {
  std::size_t count = 0;  ///< the number of rows
  /// Makes one row. Shares ownership of the data it needs, such as the graph. Only one thread may call it at
  /// a time.
  std::function<std::vector<Cell>(std::size_t index)> make = {};
};

/// A sentence about an answer, without its full stop.
struct Remark {
  /// The kind of statement.
  enum class Kind : std::uint8_t {
    note,       ///< something that the answer leaves out, or a possible mistake
    reason,     ///< why the answer is empty; the text says so, too
    violation,  ///< a condition of the option `fail-on` is met
  };

  Kind kind = Kind::note;  ///< for programs
  std::string text;        ///< for humans; may change in any version
};

/// A condition on heaps, such as a rule of the question `assert`, and whether it holds.
struct CheckedCondition {
  /// The result of the check.
  enum class Outcome : std::uint8_t {
    holds,      ///< the heaps meet the condition
    violated,   ///< they do not
    undecided,  ///< they do not show whether they do
  };

  std::string condition;         ///< as it was given
  Outcome outcome{};             ///< whether it holds
  std::string file = {};         ///< the name of the dump that the outcome is about
  std::string text = {};         ///< human-readable: what was found and expected; empty if it holds
  std::string details = {};      ///< human-readable lines: the path to what retains the most; may be empty
  std::string fingerprint = {};  ///< of the leak that violates it; empty if it is not about leaks
  /// The name of the row that violates it, such as a type, with its process; empty if it is not about rows.
  std::string row = {};
};

/// The name of the outcome, such as `violated`.
[[nodiscard]] HEAPCHECK_API std::string_view name_of(CheckedCondition::Outcome outcome);

/// The answer to a question.
struct Answer {
  /// The members of the JSON document before the rows, by key.
  std::vector<std::pair<std::string_view, Cell>> facts = {};
  Table table = {};                                       ///< all rows, or the first of them
  LaterRows later_rows = {};                              ///< rows that follow the rows of the table
  std::size_t limit = SIZE_MAX;                           ///< the maximum number of rows to write
  std::uint64_t left_out = 0;                             ///< the number of rows that are in neither of these
  std::string_view more_hint = "--limit N shows N rows";  ///< tells users how to see them
  bool is_limited = true;        ///< whether a limit can omit rows; if false, the question itself was limited
  std::string text_before = {};  ///< the text before the table
  std::string text_after = {};   ///< the text after the table
  std::optional<std::string> text = {};  ///< the whole text if the answer is not a table
  std::vector<Remark> remarks = {};      ///< in the order in which they are shown
  /// The conditions that were checked. A condition that is violated more than once is listed more than once.
  std::vector<CheckedCondition> conditions = {};
};

/// The form in which an answer is written.
enum class AnswerForm : std::uint8_t {
  text,    ///< human-readable
  json,    ///< one document, as described in spec/answers/
  ndjson,  ///< one line for each row
  csv,     ///< RFC 4180, with a header line
  // Reports on the conditions of an answer.
  markdown,  ///< for a comment on a pull request
  sarif,     ///< SARIF 2.1.0, with a result for each condition that does not hold
  junit,     ///< JUnit XML, with a test case for each condition
  github,    ///< workflow commands, which GitHub shows as annotations
  gitlab,    ///< a GitLab code quality report
};

}  // namespace heapcheck
