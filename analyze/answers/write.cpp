#include "analyze/answers/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "analyze/answers/report.hpp"
#include "analyze/printed_name.hpp"
#include "formats/core/output/csv.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

std::string show(const Cell& cell, Unit unit, std::size_t most_bytes) {
  if (const auto* number = std::get_if<std::uint64_t>(&cell)) {
    if (unit == Unit::bytes) return show_bytes(*number);
    return unit == Unit::count ? show_count(*number) : fmt::to_string(*number);
  }
  if (const auto* share = std::get_if<double>(&cell)) return fmt::format("{:.1f} %", *share * 100);
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return "-";
  if (text->empty()) return unit == Unit::label ? "Unknown" : "<anon>";
  return core::make_excerpt(*text, most_bytes);
}

/// ` (app.js:41)` if column `i` contains the name of a row, and another column contains its place.
std::string show_place_after(const Table& table, const std::vector<Cell>& row, std::size_t i) {
  if (table.columns[i].key != "name") return {};
  const auto place = std::ranges::find(table.columns, Unit::place, &Column::unit);
  if (place == table.columns.end()) return {};
  const auto* const found = std::get_if<Place>(&row[static_cast<std::size_t>(place - table.columns.begin())]);
  return found == nullptr ? std::string() : analyze::show_place_after(*found);
}

std::string make_answer_text(const Answer& answer) {
  if (answer.text) return *answer.text;
  const std::string more =
      answer.left_out == 0 ? ""
                           : fmt::format("and {} more; {}\n", show_count(answer.left_out), answer.more_hint);
  const std::string rows =
      answer.table.rows.empty() && answer.left_out == 0 ? "none\n" : show_table(answer.table);
  return answer.text_before + rows + more + answer.text_after;
}

void write_table(core::JsonWriter& json, const Table& table);

void write_list(core::JsonWriter& json, const std::vector<std::uint64_t>& list) {
  json.begin_array();
  for (const std::uint64_t number : list) json.number(number);
  json.end_array();
}

void write_place(core::JsonWriter& json, const Place& place) {
  const auto number = [&](std::string_view key, std::uint32_t value) {
    json.key(key);
    value == 0 ? json.null() : json.number(std::uint64_t{value});
  };
  json.begin_object();
  json.key("file");
  place.file.empty() ? json.null() : json.string(place.file);
  number("line", place.line);
  number("column", place.column);
  json.end_object();
}

void write_cell(core::JsonWriter& json, std::string_view key, const Cell& cell) {
  if (const auto* tables = std::get_if<std::vector<Table>>(&cell)) return write_table(json, tables->front());
  json.key(key);
  if (const auto* list = std::get_if<std::vector<std::uint64_t>>(&cell)) return write_list(json, *list);
  if (const auto* place = std::get_if<Place>(&cell)) return write_place(json, *place);
  if (const auto* number = std::get_if<std::uint64_t>(&cell)) return json.number(*number);
  if (const auto* share = std::get_if<double>(&cell)) return json.number(*share);
  if (const auto* is_so = std::get_if<bool>(&cell)) return json.boolean(*is_so);
  if (const auto* text = std::get_if<std::string>(&cell)) return json.string(*text);
  json.null();
}

void write_row(core::JsonWriter& json, const Table& table, const std::vector<Cell>& row) {
  json.begin_object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!table.columns[i].key.empty()) write_cell(json, table.columns[i].key, row[i]);
  }
  json.end_object();
}

void write_table(core::JsonWriter& json, const Table& table) {
  json.begin_array(table.key);
  for (const auto& row : table.rows) write_row(json, table, row);
  json.end_array();
}

/// The conditions, unless they are the rows of the answer.
void write_conditions(core::JsonWriter& json, const Answer& answer) {
  if (answer.conditions.empty() || answer.table.key == "conditions") return;
  json.begin_array("conditions");
  for (const CheckedCondition& condition : answer.conditions) {
    json.begin_object();
    json.member("condition", condition.condition);
    json.member("outcome", name_of(condition.outcome));
    json.member("text", condition.text);
    json.end_object();
  }
  json.end_array();
}

std::string make_answer_json(const Answer& answer) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  for (const auto& [key, value] : answer.facts) write_cell(json, key, value);
  write_conditions(json, answer);
  write_table(json, answer.table);
  json.end_object();
  return out + "\n";
}

std::string write_lines(const Answer& answer) {
  std::string out;
  for (const auto& row : answer.table.rows) {
    core::JsonWriter json(out);
    write_row(json, answer.table, row);
    out += "\n";
  }
  return out;
}

std::string quote(std::string_view text) {
  std::string field;
  if (!text.empty()) core::append_csv_field(text, field);
  return field;
}

/// `file,line,column`.
std::string quote(const Place& place) {
  const auto number = [](std::uint32_t value) { return value == 0 ? std::string() : fmt::to_string(value); };
  return fmt::format("{},{},{}", quote(place.file), number(place.line), number(place.column));
}

/// A field of a CSV file, in quotes if necessary, or the fields of a place.
std::string quote(const Cell& cell) {
  if (const auto* place = std::get_if<Place>(&cell)) return quote(*place);
  if (const auto* number = std::get_if<std::uint64_t>(&cell)) return fmt::to_string(*number);
  if (const auto* share = std::get_if<double>(&cell)) return fmt::to_string(*share);
  if (const auto* is_so = std::get_if<bool>(&cell)) return *is_so ? "true" : "false";
  if (const auto* list = std::get_if<std::vector<std::uint64_t>>(&cell))
    return fmt::format("{}", fmt::join(*list, ","));
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : quote(std::string_view(*text));
}

/// The number of fields that a column takes up in a CSV file.
std::uint64_t count_fields(const Column& column) {
  return column.unit == Unit::place ? 3 : std::max<std::uint64_t>(column.length, 1);
}

/// The number of fields in which a cell is written.
std::uint64_t count_fields(const Cell& cell) {
  if (std::holds_alternative<Place>(cell)) return 3;
  const auto* list = std::get_if<std::vector<std::uint64_t>>(&cell);
  return list == nullptr || list->empty() ? 1 : list->size();
}

/// The name of a column, or the names of its parts: `count_0,count_1`.
std::string name_fields(const Column& column) {
  if (column.unit == Unit::place) return "file,line,column";
  if (column.length == 0) return std::string(column.key);
  std::string names;
  for (std::uint64_t i = 0; i < column.length; ++i)
    names += fmt::format("{}{}_{}", i == 0 ? "" : ",", column.key, i);
  return names;
}

bool is_flat(const Table& table, std::size_t column) {
  return !table.columns[column].key.empty() && std::ranges::none_of(table.rows, [&](const auto& row) {
    return std::holds_alternative<std::vector<Table>>(row[column]) ||
           (table.columns[column].length == 0 &&
            std::holds_alternative<std::vector<std::uint64_t>>(row[column]));
  });
}

std::string write_csv(const Answer& answer) {
  const Table& table = answer.table;
  std::vector<std::size_t> flat;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (is_flat(table, i)) flat.push_back(i);
  }
  std::string out;
  for (const std::size_t i : flat) out.append(i == flat[0] ? "" : ",").append(name_fields(table.columns[i]));
  out += "\n";
  for (const auto& row : table.rows) {
    for (const std::size_t i : flat) {
      out.append(i == flat[0] ? "" : ",").append(quote(row[i]));
      // An unknown place and a list that is shorter than others have as many fields as others.
      for (std::uint64_t field = count_fields(row[i]); field < count_fields(table.columns[i]); ++field)
        out += ',';
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::vector<std::size_t> shown_columns(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].label.empty()) shown.push_back(i);
  }
  return shown;
}

std::vector<std::vector<std::string>> show_cells(const Table& table, const std::vector<std::size_t>& shown,
                                                 std::size_t count, std::size_t most_bytes) {
  std::vector<std::vector<std::string>> lines(1);
  for (const std::size_t i : shown) lines[0].emplace_back(table.columns[i].label);
  for (const auto& row : std::span(table.rows).first(count)) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::size_t i : shown)
      line.push_back(show(row[i], table.columns[i].unit, most_bytes) + show_place_after(table, row, i));
    if (!table.indent) continue;
    const auto depth = static_cast<std::size_t>(std::get<std::uint64_t>(row[*table.indent]));
    const auto text =
        std::ranges::find(shown, Unit::text, [&](std::size_t i) { return table.columns[i].unit; });
    // Deeper rows, which do not occur in real stacks, would take an amount of memory quadratic in the number
    // of rows.
    constexpr std::size_t most_levels = 128;
    line[static_cast<std::size_t>(text - shown.begin())].insert(0, 2 * std::min(depth, most_levels), ' ');
  }
  return lines;
}

std::string show_table(const Table& table, std::size_t most) {
  const std::size_t all = table.rows.size();
  const std::size_t count = std::min(all, most);
  const std::vector<std::size_t> shown = shown_columns(table);
  const std::vector<std::vector<std::string>> lines = show_cells(table, shown, count);
  std::vector<std::size_t> widths(shown.size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_text = table.columns[shown[i]].unit <= Unit::label;
      if (i != 0) text += "  ";
      text += is_text ? fmt::format("{:<{}}", line[i], widths[i]) : fmt::format("{:>{}}", line[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') +
               1);  // the last column may be text, and lines have no trailing spaces
    out += text + "\n";
  }
  if (count != all) out += fmt::format("and {} more; --limit N shows N rows\n", show_count(all - count));
  return out;
}

std::string show_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::string show_count(std::uint64_t count) {
  std::string digits = fmt::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::size_t count_rows(const Answer& answer) { return answer.table.rows.size() + answer.later_rows.count; }

Answer take_rows(const Answer& answer, std::size_t first, std::size_t most,
                 const std::function<bool()>& is_stopped) {
  const std::size_t made = answer.table.rows.size();
  const std::size_t count = count_rows(answer);
  const std::size_t begin = std::min(first, count);
  const std::size_t end = begin + (answer.is_limited ? std::min(most, count - begin) : count - begin);
  Answer taken{
      .facts = answer.facts,
      .table = {.key = answer.table.key, .columns = answer.table.columns, .indent = answer.table.indent},
      .more_hint = answer.more_hint,
      .is_limited = answer.is_limited,
      .text = answer.text,
      .remarks = answer.remarks,
      .conditions = answer.conditions};
  if (first == 0) taken.text_before = answer.text_before;
  if (first == 0) taken.text_after = answer.text_after;
  for (std::size_t i = begin; i < end && !(is_stopped && is_stopped()); ++i)
    taken.table.rows.push_back(i < made ? answer.table.rows[i] : answer.later_rows.make(i - made));
  taken.left_out = answer.left_out + count - begin - taken.table.rows.size();
  return taken;
}

std::string write_answer(const Answer& answer, AnswerForm form, std::string_view version) {
  const bool is_whole = answer.later_rows.count == 0 && answer.table.rows.size() <= answer.limit;
  if (!is_whole && form != AnswerForm::markdown)
    return write_answer(take_rows(answer, 0, answer.limit), form, version);
  switch (form) {
    case AnswerForm::json:
      return make_answer_json(answer);
    case AnswerForm::ndjson:
      return write_lines(answer);
    case AnswerForm::csv:
      return write_csv(answer);
    case AnswerForm::text:
      return make_answer_text(answer);
    case AnswerForm::markdown:
    case AnswerForm::sarif:
    case AnswerForm::junit:
    case AnswerForm::github:
    case AnswerForm::gitlab:
      break;
  }
  return write_report(answer, form, version);
}

}  // namespace heapcheck::analyze::answers
