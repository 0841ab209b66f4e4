// The tools that the server offers, in one table. Those that ask a question have the options of the question;
// all others have their own. The schemas of the arguments are generated from these options, and the arguments
// are checked against the same options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_table.hpp"
#include "heapcheck/types/result.hpp"
#include "heapcheck/types/table.hpp"

namespace heapcheck::cli::mcp {

/// What a tool needs.
enum class Needs : std::uint8_t {
  nothing,  ///< no dump, or it says in its own options which
  dump,     ///< the dump that the argument `dump` names
  dumps,    ///< the same, and `later` may name later dumps
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view help;  ///< one or two sentences for an agent
  Needs needs{};
  bool is_question = false;              ///< whether it asks the question with the same name
  bool writes = false;                   ///< whether it creates a file
  std::span<const Option> options = {};  ///< its own options
};

/// The table.
[[nodiscard]] std::span<const Tool> tools();
/// The tool with that name, or null.
[[nodiscard]] const Tool* find_tool(std::string_view name);

/// All arguments of the tool.
[[nodiscard]] std::vector<Option> parameters_of(const Tool& tool);

/// Checks the arguments, and converts numbers to strings where the tool expects ids. `unusable` are the names
/// of those without a value that an option can have. Errors: unsupported.
[[nodiscard]] Result<OptionValues> check_arguments(const Tool& tool, OptionValues arguments,
                                                   std::span<const std::string> unusable);

/// The text with the arguments of the tool as `NAME`, where a message names options of the command line.
[[nodiscard]] std::string name_arguments(const Tool& tool, std::string_view text);

/// What the tool does.
[[nodiscard]] std::string_view help_of(const Tool& tool);
/// Whether the argument names a node, which can be a number, too.
[[nodiscard]] bool is_node(const Option& option);

}  // namespace heapcheck::cli::mcp
