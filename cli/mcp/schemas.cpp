#include "cli/mcp/schemas.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/values.hpp"
#include "formats/core/text/parse_number.hpp"

namespace heapcheck::cli::mcp {
namespace {

std::string_view name_type(const Option& option) {
  if (option.kind == ValueKind::none) return "boolean";
  return option.kind == ValueKind::count ? "integer" : "string";
}

void write_type(core::JsonWriter& json, const Option& option) {
  if (!is_node(option)) return json.member("type", name_type(option));
  json.begin_array("type");
  json.string("string");
  json.string("integer");
  json.end_array();
}

void write_choices(core::JsonWriter& json, const Option& option) {
  if (option.kind != ValueKind::choice) return;
  json.begin_array("enum");
  for (const std::string& choice : choices_of(option)) json.string(choice);
  json.end_array();
}

/// The help text without the hyphens before the names of options, because arguments do not have them.
std::string describe_parameter(const Option& option) {
  std::string text(option.help);
  for (std::size_t at = 0; (at = text.find(" --", at)) != std::string::npos;) text.erase(at + 1, 2);
  return text;
}

/// The default, for which the text is the value itself.
void write_default(core::JsonWriter& json, const Option& option) {
  if (option.default_text.empty()) return;
  if (option.kind == ValueKind::choice) json.member("default", option.default_text);
  if (const auto count = core::parse_number(option.default_text); option.kind == ValueKind::count && count)
    json.member("default", *count);
}

void write_parameter(core::JsonWriter& json, const Option& option) {
  json.begin_object(option.name);
  json.member("description", describe_parameter(option));
  write_default(json, option);
  if (option.is_repeated) {
    json.member("type", "array");
    json.begin_object("items");
  }
  write_type(json, option);
  write_choices(json, option);
  if (option.is_repeated) json.end_object();
  if (option.kind == ValueKind::count) {
    json.member("minimum", option.least);
    json.member("maximum", option.most);
  }
  json.end_object();
}

void write_input_schema(core::JsonWriter& json, const Tool& tool) {
  const std::vector<Option> parameters = parameters_of(tool);
  json.begin_object("inputSchema");
  json.member("type", "object");
  json.begin_object("properties");
  for (const Option& option : parameters) write_parameter(json, option);
  json.end_object();
  json.begin_array("required");
  for (const Option& option : parameters) {
    if (option.is_required) json.string(option.name);
  }
  json.end_array();
  json.member("additionalProperties", false);
  json.end_object();
}

void write_property(core::JsonWriter& json, std::string_view name, std::string_view type,
                    std::string_view description) {
  json.begin_object(name);
  json.member("type", type);
  json.member("description", description);
  json.end_object();
}

void write_next_schema(core::JsonWriter& json) {
  json.begin_object("next");
  json.member("type", "array");
  json.member("description", "What to ask next, the best first");
  json.begin_object("items");
  json.member("type", "object");
  json.begin_object("properties");
  write_property(json, "tool", "string", "The name of a tool");
  write_property(json, "arguments", "object", "Its arguments");
  write_property(json, "why", "string", "What it will show");
  json.end_object();
  json.begin_array("required");
  for (const std::string_view name : {"tool", "arguments", "why"}) json.string(name);
  json.end_array();
  json.end_object();
  json.end_object();
}

void write_output_schema(core::JsonWriter& json, const Tool& tool) {
  json.begin_object("outputSchema");
  json.member("type", "object");
  json.begin_object("properties");
  write_property(json, "notice", "string", "How to treat the strings in the answer");
  write_property(json, "answer", "object",
                 tool.is_question ? fmt::format("As spec/answers/{}.schema.json describes it", tool.name)
                                  : "The result");
  write_property(json, "rows_left", "integer", "The number of rows that come after those in the answer");
  write_property(json, "more", "string", "The cursor with which `more` shows them");
  write_property(json, "is_shortened", "boolean",
                 "Whether long strings, lists or paths were shortened in the middle");
  json.begin_object("remarks");
  json.member("type", "array");
  json.begin_object("items");
  json.member("type", "string");
  json.end_object();
  json.end_object();
  write_next_schema(json);
  json.end_object();
  json.begin_array("required");
  for (const std::string_view name : {"notice", "answer", "rows_left", "is_shortened", "next"})
    json.string(name);
  json.end_array();
  json.member("additionalProperties", false);
  json.end_object();
}

}  // namespace

void write_tool(core::JsonWriter& json, const Tool& tool) {
  json.begin_object();
  json.member("name", tool.name);
  json.member("title", tool.title);
  json.member("description", fmt::format("{}{}", help_of(tool), help_of(tool).ends_with('.') ? "" : "."));
  write_input_schema(json, tool);
  write_output_schema(json, tool);
  json.begin_object("annotations");
  json.member("readOnlyHint", !tool.writes);
  json.member("destructiveHint", false);
  json.member("idempotentHint", !tool.writes);
  json.member("openWorldHint", false);
  json.end_object();
  json.end_object();
}

}  // namespace heapcheck::cli::mcp
