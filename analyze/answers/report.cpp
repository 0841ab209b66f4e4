#include "analyze/answers/report.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "analyze/answers/conditions.hpp"
#include "analyze/answers/write.hpp"
#include "formats/core/output/escapes.hpp"
#include "formats/core/output/json_writer.hpp"
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

/// A condition with the leak that violates it, because several may.
std::string name_condition(const CheckedCondition& condition) {
  return condition.fingerprint.empty() ? condition.condition
                                       : fmt::format("{} ({})", condition.condition, condition.fingerprint);
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
    json.member("fingerprint", name_condition(condition));
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

std::string write_sarif(const Answer& answer) {
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
  return fmt::format("<code>{}</code>", core::escape_xml(show_whole(text)));
}

std::string make_folded(std::string_view title, std::string_view lines) {
  return fmt::format("\n<details><summary>{}</summary>\n<pre>\n{}</pre>\n</details>\n", title,
                     escape_lines(lines));
}

/// A table of the conditions, with folded paths, and the text of the answer, also folded.
std::string write_markdown(const Answer& answer) {
  std::string out = "### heapcheck: " + count_outcomes(answer.conditions) + "\n";
  std::string rows;
  std::string paths;
  for (const CheckedCondition& condition : answer.conditions) {
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", name_of(condition.outcome),
                    make_code(condition.condition), condition.text.empty() ? "" : make_code(condition.text));
    if (!condition.details.empty())
      paths += make_folded("Path: " + make_code(name_condition(condition)), condition.details);
  }
  if (!rows.empty())
    out += "\n<table>\n<tr><th>Outcome</th><th>Condition</th><th>Found</th></tr>\n" + rows + "</table>\n";
  return out + paths + make_folded("The whole answer", write_answer(answer, AnswerForm::text));
}

}  // namespace

std::string write_report(const Answer& answer, AnswerForm form) {
  switch (form) {
    case AnswerForm::markdown:
      return write_markdown(answer);
    case AnswerForm::sarif:
      return write_sarif(answer);
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
