// Checks that hash tables use a secret key, so that nobody can write a file whose keys collide
// (formats/core/keyed_hash.hpp).
#include <regex>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

/// Whether the line declares a hash table without the keyed hash. Tables of pointers are exempt, because
/// files do not determine pointers. Tables with the class `Rows`, which uses the keyed hash, are also exempt.
bool is_unkeyed(const std::string& line) {
  static const std::regex table(R"(std::unordered_(map|set)<(?!const [\w:]+\*)(?!.*(KeyedHash|Rows)))");
  return line.find("std::hash<") != std::string::npos || std::regex_search(line, table);
}

bool is_of_the_library(const std::string& file) {
  static const std::regex folders("(analyze|convert|export|formats|graph|heapcheck|recover|validate)/.*");
  return std::regex_match(file, folders);
}

}  // namespace

TEST_CASE("hash tables of the library use the keyed hash", "[project][hash]") {
  for (const std::string& file : find_code()) {
    if (!is_of_the_library(file)) continue;
    INFO(file);
    for (const std::string& line : read_lines(file)) {
      if (is_unkeyed(line)) FAIL_CHECK(line);
    }
  }
}

TEST_CASE("a hash table without the keyed hash is found", "[project][hash]") {
  CHECK(is_unkeyed("std::unordered_set<std::string> seen;"));
  CHECK(is_unkeyed("std::unordered_map<std::uint32_t, const Rule*> rules;"));
  CHECK(is_unkeyed("return std::hash<std::string_view>{}(text);"));
  CHECK_FALSE(is_unkeyed("std::unordered_set<std::string, core::KeyedHash> seen;"));
  CHECK_FALSE(is_unkeyed("std::unordered_map<const Rule*, std::uint64_t> held;"));
}
