// Checks that the build lists its sources by name (CONTRIBUTING.md, "Building"). A source that is not listed
// would silently be neither compiled nor tested.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

using Lines = std::vector<std::string>;

std::string without_comment(const std::string& line) { return line.substr(0, line.find('#')); }

/// The words of a CMake line that are names of .cpp files, as written.
std::vector<std::string> find_source_words(const std::string& line) {
  constexpr std::string_view separators = " \t()\";";
  const std::string text = without_comment(line);
  std::vector<std::string> words;
  for (std::size_t end = 0, start = text.find_first_not_of(separators); start != std::string::npos;
       start = text.find_first_not_of(separators, end)) {
    end = std::min(text.find_first_of(separators, start), text.size());
    std::string word = text.substr(start, end - start);
    if (word.ends_with(".cpp")) words.push_back(std::move(word));
  }
  return words;
}

/// A word from the CMakeLists.txt in `folder`, as a path relative to the source folder.
std::string resolve(const std::string& folder, const std::string& word) {
  constexpr std::string_view from_top[] = {"${PROJECT_SOURCE_DIR}/", "${CMAKE_SOURCE_DIR}/"};
  constexpr std::string_view from_here = "${CMAKE_CURRENT_SOURCE_DIR}/";
  for (const std::string_view prefix : from_top) {
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  }
  const std::string below = word.starts_with(from_here) ? word.substr(from_here.size()) : word;
  return (std::filesystem::path(folder) / below).lexically_normal().generic_string();
}

std::set<std::string> find_listed(const std::string& folder, const Lines& lines) {
  std::set<std::string> listed;
  for (const std::string& line : lines) {
    for (const std::string& word : find_source_words(line)) listed.insert(resolve(folder, word));
  }
  return listed;
}

bool globs(const std::string& line) {
  const std::string text = without_comment(line);
  return text.find("GLOB") != std::string::npos || text.find("aux_source_directory") != std::string::npos;
}

std::vector<std::string> find_build_files() {
  auto files = find_files("", "CMakeLists.txt");
  std::ranges::move(find_files("cmake", ".cmake"), std::back_inserter(files));
  return files;
}

}  // namespace

TEST_CASE("every source is listed in a CMakeLists.txt", "[project][build]") {
  std::set<std::string> listed;
  for (const std::string& file : find_build_files()) {
    const std::string folder = std::filesystem::path(file).parent_path().generic_string();
    listed.merge(find_listed(folder, read_lines(file)));
  }
  REQUIRE(listed.contains("tests/project/no_globbing_test.cpp"));
  std::vector<std::string> orphans;
  for (const std::string_view folder :
       {"include", "api", "formats", "graph", "validate", "convert", "allocations", "recover", "analyze",
        "export", "cli", "conformance", "tests"}) {
    std::ranges::copy_if(find_files(folder, ".cpp"), std::back_inserter(orphans),
                         [&](const std::string& file) { return !listed.contains(file); });
  }
  CHECK(orphans == std::vector<std::string>{});
}

TEST_CASE("no CMake file finds sources by pattern", "[project][build]") {
  for (const std::string& file : find_build_files()) {
    INFO(file);
    CHECK(std::ranges::none_of(read_lines(file), globs));
  }
}

TEST_CASE("listed sources are found however they are written", "[project][build]") {
  const Lines lines = {"add_library(x STATIC", "  core/a.cpp core/b.cpp  # core/c.cpp",
                       "# core/d.cpp",         "  ${CMAKE_CURRENT_SOURCE_DIR}/e.cpp",
                       "  \"../cli/f.cpp\"",   "  ${PROJECT_SOURCE_DIR}/g.cpp)"};
  CHECK(find_listed("formats", lines) == std::set<std::string>{"formats/core/a.cpp", "formats/core/b.cpp",
                                                               "formats/e.cpp", "cli/f.cpp", "g.cpp"});
}

TEST_CASE("patterns are found, but not in comments", "[project][build]") {
  CHECK(globs("file(GLOB_RECURSE sources *.cpp)"));
  CHECK(globs("  aux_source_directory(. sources)"));
  CHECK(!globs("# no file(GLOB) here"));
  CHECK(!globs("add_library(x a.cpp)"));
}
