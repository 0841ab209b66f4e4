// The options for limits, which all commands that read dumps share.
#include <CLI/CLI.hpp>
#include <string>

#include "cli/commands.hpp"

namespace heapcheck::cli {

void add_limit_options(CLI::App& command, std::uint64_t& max_memory, std::uint64_t& max_expanded) {
  const CLI::Validator is_positive(
      [](std::string& size) {
        return size == "0" || size.starts_with("-") ? size + " is no limit, required is 1 byte or more"
                                                    : std::string();
      },
      "");
  command
      .add_option("--max-memory", max_memory,
                  "Memory for the columns of one snapshot, such as 512M (default: 8G)")
      ->transform(CLI::AsSizeValue(false))
      ->check(is_positive)
      ->option_text("SIZE");
  command
      .add_option("--max-expanded", max_expanded,
                  "Size that one compressed block may expand to, such as 2G (default: 16M, or 1000 times "
                  "its compressed size)")
      ->transform(CLI::AsSizeValue(false))
      ->check(is_positive)
      ->option_text("SIZE");
}

}  // namespace heapcheck::cli
