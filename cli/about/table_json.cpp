// The command table as JSON, for command lines in other languages.
#include "cli/about/pages.hpp"
#include "cli/command_table.hpp"
#include "cli/output.hpp"
#include "cli/values.hpp"

namespace heapcheck::cli {
namespace {

std::string_view name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::none:
      return "none";
    case ValueKind::text:
      return "text";
    case ValueKind::file:
      return "file";
    case ValueKind::choice:
      return "choice";
    case ValueKind::count:
      return "count";
    case ValueKind::limit:
      return "limit";
    case ValueKind::size:
      return "size";
    case ValueKind::percent:
      return "percent";
    case ValueKind::rules:
      return "rules";
    case ValueKind::severities:
      return "severities";
  }
  return {};
}

void write_choices(core::JsonWriter& json, const Choices& choices) {
  if (choices.empty()) return;
  json.begin_array("choices");
  for (const std::string& choice : choices) json.string(choice);
  json.end_array();
}

void write_argument(core::JsonWriter& json, const Argument& argument) {
  json.member("name", argument.name);
  json.member("kind", name_of(argument.kind));
  json.member("is_repeated", argument.is_repeated);
  json.member("is_optional", argument.is_optional);
  json.member("expected", describe_expected(argument));
  write_choices(json, argument.choices == nullptr ? Choices{} : argument.choices());
}

void write_option(core::JsonWriter& json, const Option& option) {
  json.member("name", option.name);
  json.member("short_name",
              option.short_name == '\0' ? std::string_view() : std::string_view(&option.short_name, 1));
  json.member("kind", name_of(option.kind));
  json.member("is_required", option.is_required);
  json.member("is_repeated", option.is_repeated);
  json.member("expected", describe_expected(option));
  json.member("least", option.least);
  json.member("most", option.most);
  json.member("default", option.default_text);
  json.member("excludes", option.excludes);
  write_choices(json, choices_of(option));
}

}  // namespace

std::string make_table_json() {
  return make_json_document([](core::JsonWriter& json) {
    write_rows(json, "commands", program().commands, [](core::JsonWriter& row, const Command& command) {
      row.member("name", command.name);
      row.member("is_question", command.run == nullptr);
      write_rows(row, "arguments", command.arguments, write_argument);
      write_rows(row, "options", command.options, write_option);
    });
  });
}

}  // namespace heapcheck::cli
