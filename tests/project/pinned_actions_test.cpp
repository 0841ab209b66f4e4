// Checks that workflows name third-party actions by the hash of a commit, because a tag can be moved to other
// code.
#include <regex>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

TEST_CASE("workflows name every action by the hash of its commit", "[workflows]") {
  const std::regex pinned("- uses: [^@]+@[0-9a-f]{40}( .*)?");
  const auto workflows = find_files(".github/workflows", ".yml");
  CHECK(!workflows.empty());
  for (const std::string& path : workflows) {
    for (const std::string& line : read_lines(path)) {
      const auto start = line.find("- uses: ");
      INFO(path << ": " << line);
      CHECK((start == std::string::npos || std::regex_match(line.substr(start), pinned)));
    }
  }
}
