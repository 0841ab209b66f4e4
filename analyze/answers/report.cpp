#include "analyze/answers/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analyze/answers/conditions.hpp"
#include "analyze/answers/write.hpp"
#include "formats/core/output/escapes.hpp"
#include "formats/core/output/json_writer.hpp"
#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::analyze::answers {
namespace {

using Outcome = CheckedCondition::Outcome;

/// The id of all conditions, which are not rules of a format.
constexpr std::string_view condition_id = "heap.condition";

std::string show_whole(std::string_view text) { return core::shorten(text, SIZE_MAX); }

/// The text in XML or HTML, harmless and with its line feeds.
std::string escape_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end != 0) out += core::escape_xml(show_whole(text.substr(0, end))) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// A condition with the row or the leak that violates it, because several may.
std::string name_condition(const CheckedCondition& condition) {
  const std::string& violator = condition.fingerprint.empty() ? condition.row : condition.fingerprint;
  return violator.empty() ? condition.condition : fmt::format("{} ({})", condition.condition, violator);
}

std::string describe(const CheckedCondition& condition) {
  return fmt::format("{}: {}", condition.condition, condition.text);
}

std::string write_junit(const Answer& answer) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"heapcheck\">\n";
  for (const CheckedCondition& condition : answer.conditions) {
    out += fmt::format("<testcase classname=\"heapcheck\" name=\"{}\"",
                       core::escape_xml(show_whole(name_condition(condition))));
    if (condition.outcome == Outcome::holds) {
      out += "/>\n";
      continue;
    }
    out +=
        fmt::format("><{0} type=\"{1}\" message=\"{2}\">{3}</{0}></testcase>\n",
                    condition.outcome == Outcome::undecided ? "error" : "failure", name_of(condition.outcome),
                    core::escape_xml(show_whole(condition.text)), escape_lines(condition.details));
  }
  return out + "</testsuite>\n</testsuites>\n";
}

std::string write_github(const Answer& answer) {
  std::string out;
  for (const CheckedCondition& condition : answer.conditions) {
    if (condition.outcome == Outcome::holds) continue;
    out += fmt::format("::{} file={},title={}::{}\n",
                       condition.outcome == Outcome::undecided ? "warning" : "error",
                       core::escape_command_property(core::without_dot(condition.file)), condition_id,
                       core::escape_command_data(describe(condition)));
  }
  return out;
}

std::string write_gitlab(const Answer& answer) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_array();
  for (const CheckedCondition& condition : answer.conditions) {
    if (condition.outcome == Outcome::holds) continue;
    json.begin_object();
    json.member("description", describe(condition));
    json.member("check_name", condition_id);
    json.member("fingerprint",
                fmt::format("{}: {}", core::without_dot(condition.file), name_condition(condition)));
    json.member("severity", condition.outcome == Outcome::undecided ? "minor" : "critical");
    json.begin_object("location");
    json.member("path", core::without_dot(condition.file));
    json.begin_object("lines");
    json.member("begin", std::uint64_t{1});  // required even for a binary file
    json.end_object();
    json.end_object();
    json.end_object();
  }
  json.end_array();
  return out + "\n";
}

void write_sarif_text(core::JsonWriter& json, std::string_view key, std::string_view text) {
  json.begin_object(key);
  json.member("text", text);
  json.end_object();
}

void write_sarif_result(core::JsonWriter& json, const CheckedCondition& condition) {
  json.begin_object();
  json.member("ruleId", condition_id);
  json.member("ruleIndex", std::uint64_t{0});
  json.member("level", condition.outcome == Outcome::undecided ? "warning" : "error");
  write_sarif_text(
      json, "message",
      condition.details.empty() ? describe(condition) : describe(condition) + "\n\n" + condition.details);
  json.begin_array("locations");
  json.begin_object();
  json.begin_object("physicalLocation");
  json.begin_object("artifactLocation");
  json.member("uri", core::make_uri(core::without_dot(condition.file)));
  json.end_object();
  json.end_object();
  json.end_object();
  json.end_array();
  json.begin_object("partialFingerprints");
  json.member("heapcheckCondition/v1", name_condition(condition));
  json.end_object();
  json.end_object();
}

std::string write_sarif(const Answer& answer, std::string_view version) {
  std::string out;
  core::JsonWriter json(out, core::JsonLayout::pretty);
  json.begin_object();
  json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.member("version", "2.1.0");
  json.begin_array("runs");
  json.begin_object();
  json.begin_object("tool");
  json.begin_object("driver");
  json.member("name", "heapcheck");
  if (!version.empty()) json.member("version", version);
  if (!version.empty()) json.member("semanticVersion", version);
  json.begin_array("rules");
  json.begin_object();
  json.member("id", condition_id);
  write_sarif_text(json, "shortDescription", "A heap meets a condition that its owner states.");
  json.end_object();
  json.end_array();
  json.end_object();
  json.end_object();
  json.begin_array("results");
  for (const CheckedCondition& condition : answer.conditions) {
    if (condition.outcome != Outcome::holds) write_sarif_result(json, condition);
  }
  json.end_array();
  json.end_object();
  json.end_array();
  json.end_object();
  return out + "\n";
}

/// Text from a dump inside Markdown: in HTML, nothing in it is Markdown, and in `code`, nothing is a mention.
std::string make_code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("<code>{}</code>", core::escape_xml(show_whole(text)));
}

std::string make_folded(std::string_view title, std::string_view escaped_lines) {
  return fmt::format("\n<details><summary>{}</summary>\n<pre>\n{}</pre>\n</details>\n", title, escaped_lines);
}

/// How many conditions, and how many rows of the answer, Markdown contains at most.
constexpr std::size_t most_markdown_rows = 20;
/// GitHub refuses comments with more than 65,536 characters.
constexpr std::size_t most_markdown_bytes = 60'000;

/// The conditions, those that do not hold first, as in the text.
std::vector<const CheckedCondition*> order_conditions(const Answer& answer) {
  std::vector<const CheckedCondition*> ordered;
  for (const Outcome outcome : {Outcome::violated, Outcome::undecided, Outcome::holds}) {
    for (const CheckedCondition& condition : answer.conditions) {
      if (condition.outcome == outcome) ordered.push_back(&condition);
    }
  }
  return ordered;
}

std::string make_conditions_table(const std::vector<const CheckedCondition*>& conditions) {
  if (conditions.empty()) return {};
  std::string out = "\n<table>\n<tr><th>Outcome</th><th>Condition</th><th>Found</th></tr>\n";
  std::size_t shown = 0;
  for (const CheckedCondition* const condition :
       std::span(conditions).first(std::min(conditions.size(), most_markdown_rows))) {
    const std::string row =
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", name_of(condition->outcome),
                    make_code(condition->condition), make_code(condition->text));
    if (out.size() + row.size() > most_markdown_bytes / 2) break;
    out += row;
    ++shown;
  }
  out += "</table>\n";
  if (shown != conditions.size()) out += fmt::format("\nand {} more\n", conditions.size() - shown);
  return out;
}

bool has_column(const Table& table, std::string_view key) {
  return std::ranges::find(table.columns, key, &Column::key) != table.columns.end();
}

/// The columns of the answer for a table in which people look for what grew. The reason for a suspect names
/// its type and what holds it, so the other columns would only repeat them.
std::vector<std::size_t> choose_columns(const Table& table) {
  if (!has_column(table, "reason")) return shown_columns(table);
  std::vector<std::size_t> chosen;
  for (const std::string_view key : {"retained", "share", "reason", "fingerprint"})
    chosen.push_back(static_cast<std::size_t>(std::ranges::find(table.columns, key, &Column::key) -
                                              table.columns.begin()));
  return chosen;
}

/// Leaves out the rows of a comparison about what did not grow.
void keep_grown(Table& table) {
  const auto trend = std::ranges::find(table.columns, "trend", &Column::key);
  if (trend == table.columns.end()) return;
  const auto index = static_cast<std::size_t>(trend - table.columns.begin());
  std::erase_if(table.rows, [&](const std::vector<Cell>& row) {
    const auto* const text = std::get_if<std::string>(&row[index]);
    return text != nullptr && (*text == "same" || *text == "gone" || *text == "shrunk");
  });
}

std::string_view title_rows(const Answer& answer) {
  const bool is_growth = has_column(answer.table, "trend") ||
                         std::ranges::find(answer.facts, "since",
                                           &std::pair<std::string_view, Cell>::first) != answer.facts.end();
  return is_growth ? "What grew" : "What retains the most";
}

/// How many rows of the answer Markdown shows.
std::size_t count_shown(const Answer& answer) { return std::min(most_markdown_rows, answer.limit); }

/// The first rows of the answer as a table of at most `room` bytes. Of a comparison, these are the first rows
/// that grew.
std::string make_rows_table(const Answer& answer, std::size_t room) {
  const bool is_comparison = has_column(answer.table, "trend");
  Table table = take_rows(answer, 0, is_comparison ? SIZE_MAX : count_shown(answer)).table;
  keep_grown(table);
  if (table.rows.empty()) return {};
  const std::vector<std::size_t> columns = choose_columns(table);
  const auto lines =
      show_cells(table, columns, std::min(table.rows.size(), count_shown(answer)), most_markdown_bytes / 100);
  std::string out = fmt::format("\n#### {}\n\n<table>\n<tr>", title_rows(answer));
  for (const std::string& label : lines.front()) out += fmt::format("<th>{}</th>", core::escape_xml(label));
  out += "</tr>\n";
  constexpr std::string_view end = "</table>\n";
  for (const auto& line : std::span(lines).subspan(1)) {
    std::string row = "<tr>";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool is_text = table.columns[columns[i]].unit <= Unit::label;
      row += is_text ? fmt::format("<td>{}</td>", make_code(line[i]))
                     : fmt::format("<td align=\"right\">{}</td>", core::escape_xml(line[i]));
    }
    row += "</tr>\n";
    if (out.size() + row.size() + end.size() > room) break;
    out += row;
  }
  return out.append(end);
}

/// The text of the answer, up to the last line for which there is room.
std::string fold_answer(const Answer& answer, std::size_t room) {
  std::string lines = escape_lines(write_answer(take_rows(answer, 0, count_shown(answer)), AnswerForm::text));
  if (lines.size() > room) {
    const std::size_t end = lines.rfind('\n', room);
    lines.resize(end == std::string::npos ? 0 : end + 1);
    lines += "...\n";
  }
  return make_folded("The answer", lines);
}

/// The conditions and what grew as tables, with folded paths, and the text of the answer, which is also
/// folded. Leaves out folded parts for which there is no room in a comment.
std::string write_markdown(const Answer& answer) {
  const auto conditions = order_conditions(answer);
  std::string out = "### heapcheck";
  if (!conditions.empty()) out += ": " + count_outcomes(answer.conditions);
  out += "\n" + make_conditions_table(conditions);
  const bool is_only_conditions = answer.table.key == "conditions";
  if (!is_only_conditions) out += make_rows_table(answer, most_markdown_bytes - out.size());
  std::size_t left_out = 0;
  for (const CheckedCondition* const condition : conditions) {
    if (condition->details.empty()) continue;
    const std::string path =
        make_folded("Path: " + make_code(name_condition(*condition)), escape_lines(condition->details));
    const bool fits = out.size() + path.size() <= most_markdown_bytes;
    if (fits) out += path;
    left_out += fits ? 0 : 1;
  }
  if (left_out != 0)
    out += fmt::format("\n{} left out\n", core::counted(left_out, core::Noun("path", "paths")));
  if (is_only_conditions || out.size() >= most_markdown_bytes) return out;
  return out + fold_answer(answer, most_markdown_bytes - out.size());
}

}  // namespace

std::string write_report(const Answer& answer, AnswerForm form, std::string_view version) {
  switch (form) {
    case AnswerForm::markdown:
      return write_markdown(answer);
    case AnswerForm::sarif:
      return write_sarif(answer, version);
    case AnswerForm::junit:
      return write_junit(answer);
    case AnswerForm::github:
      return write_github(answer);
    case AnswerForm::gitlab:
      return write_gitlab(answer);
    case AnswerForm::text:
    case AnswerForm::json:
    case AnswerForm::ndjson:
    case AnswerForm::csv:
      break;
  }
  return write_answer(answer, form);
}

}  // namespace heapcheck::analyze::answers
