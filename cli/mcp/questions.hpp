// Asks the library the questions of the tools.
#pragma once

#include <string_view>
#include <vector>

#include "cli/mcp/heaps.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// Asks a question about one dump, or about several, oldest first. `options` are those of the question.
/// Errors: those of Question and of Heaps.
[[nodiscard]] Result<Answer> ask_question(Heaps& heaps, std::string_view question,
                                          const std::vector<OpenDump*>& dumps, OptionValues options);

}  // namespace heapcheck::cli::mcp
