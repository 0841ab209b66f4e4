// What an agent should ask next. Suggestions contain only ids, words of our own, and what the agent wrote
// itself, never a string from a heap, because an agent may follow them without reading them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/heaps.hpp"
#include "formats/core/output/json_writer.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

struct Suggestion {
  std::string_view tool;
  OptionValues arguments = {};
  std::string_view why;
};

/// What to do with a dump that was just opened or listed. `dumps` are all open dumps.
[[nodiscard]] std::vector<Suggestion> suggest_for_dump(const OpenDump& dump,
                                                       const std::vector<std::unique_ptr<OpenDump>>& dumps);

/// What to ask after an answer of a tool about a dump, or about several, of which `dump` is the last one.
/// `arguments` are those of the call, and `answer` contains the rows that were shown.
[[nodiscard]] std::vector<Suggestion> suggest_after(std::string_view tool, const OpenDump& dump,
                                                    const OptionValues& arguments, const Answer& answer);

/// Without the arguments that are long, such as some paths, which the agent knows.
void write_suggestions(core::JsonWriter& json, const std::vector<Suggestion>& suggestions);

}  // namespace heapcheck::cli::mcp
