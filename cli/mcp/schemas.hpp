// Describes the tools in the form of the protocol, with the schemas of their arguments and results.
#pragma once

#include "cli/mcp/tools.hpp"
#include "formats/core/output/json_writer.hpp"

namespace heapcheck::cli::mcp {

/// Writes the description of the tool with the schemas of its arguments and of its result.
void write_tool(core::JsonWriter& json, const Tool& tool);

}  // namespace heapcheck::cli::mcp
