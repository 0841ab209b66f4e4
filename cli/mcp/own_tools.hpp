// The tools that are not questions about heaps. Each returns its result as an answer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/mcp/heaps.hpp"
#include "heapcheck/types/finding.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// A row for each dump.
[[nodiscard]] Answer describe_dumps(const std::vector<const OpenDump*>& dumps);

/// The findings about a dump, also for a reader unless its name is empty.
[[nodiscard]] Result<Answer> check_dump(Heaps& heaps, OpenDump& dump, const std::string& reader);

/// Everything that is known about a rule.
[[nodiscard]] Answer explain_rule(const Rule& rule);

/// Writes the intact parts of a dump to a new file.
[[nodiscard]] Result<Answer> recover_dump(Heaps& heaps, OpenDump& dump, const std::string& output);

/// Writes a page about the dumps to a new file.
[[nodiscard]] Result<Answer> write_report(Heaps& heaps, const std::vector<OpenDump*>& dumps,
                                          const std::string& output);

}  // namespace heapcheck::cli::mcp
