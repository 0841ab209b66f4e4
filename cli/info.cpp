#include "cli/commands.hpp"
namespace heapcheck::cli {
Run add_info(CLI::App& app) {
  app.add_subcommand("info", "x");
  return [] { return 0; };
}
}  // namespace heapcheck::cli
