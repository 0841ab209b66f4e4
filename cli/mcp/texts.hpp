// What the server offers to read: the rules and the specification as resources, and prompts for common tasks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// How to use the server, for the agent.
[[nodiscard]] std::string_view instructions();

/// Writes the members `resources`, `resourceTemplates` and `prompts` of the lists.
void write_resources(core::JsonWriter& json);
void write_resource_templates(core::JsonWriter& json);
void write_prompts(core::JsonWriter& json);

/// A text that can be read.
struct ResourceText {
  std::string_view type;  ///< its media type
  std::string text;
};
/// Nothing if there is no such resource.
[[nodiscard]] std::optional<ResourceText> read_resource(std::string_view uri);

/// The text of a prompt. Errors: unsupported if there is no such prompt, or if an argument is missing.
[[nodiscard]] Result<std::string> make_prompt(std::string_view name, const OptionValues& arguments);

}  // namespace heapcheck::cli::mcp
