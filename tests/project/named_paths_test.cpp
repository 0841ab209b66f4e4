// Checks that the files and folders named in the pages about the tree exist.
#include <algorithm>
#include <filesystem>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

/// The places where a path may begin: the source folder, the folder of a slug, or the folder that the
/// sentence describes.
constexpr std::string_view bases[] = {"", "formats/", "include/heapcheck/", "tests/"};

/// The paths in backticks, except built files and paths with placeholders, such as `formats/<slug>/`.
std::vector<std::string> find_named_paths(const std::vector<std::string>& lines) {
  std::vector<std::string> paths;
  bool is_code = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code) continue;
    for (std::size_t begin = line.find('`'); begin != std::string::npos; begin = line.find('`', begin)) {
      const std::size_t end = std::min(line.find('`', begin + 1), line.size());
      std::string word = line.substr(begin + 1, end - begin - 1);
      begin = std::min(end + 1, line.size());
      const bool is_path = word.find('/') != std::string::npos && !word.starts_with('/');
      if (is_path && word.find_first_of(" <>*{") == std::string::npos && !word.starts_with("build/"))
        paths.push_back(std::move(word));
    }
  }
  return paths;
}

bool is_in_tree(const std::string& path) {
  const std::filesystem::path root(HEAPCHECK_SOURCE_DIR);
  return std::ranges::any_of(bases, [&](std::string_view base) {
    return std::filesystem::exists(root / (std::string(base) + path));
  });
}

}  // namespace

TEST_CASE("every path that a page about the tree names exists", "[project]") {
  for (const std::string page : {"CONTRIBUTING.md", "docs/source-tree.md"}) {
    const auto paths = find_named_paths(read_lines(page));
    CHECK(paths.size() > 5);  // otherwise the page was not found
    for (const std::string& path : paths) {
      if (!is_in_tree(path)) FAIL_CHECK(page << " names " << path << ", which does not exist");
    }
  }
}

TEST_CASE("paths are found in sentences, but not in code, and not if they stand for others", "[project]") {
  CHECK(find_named_paths({"see `a/b.hpp`, `c/` and `d.cpp`", "```", "`e/f`", "```", "`/g` or `h/<slug>/`"}) ==
        std::vector<std::string>{"a/b.hpp", "c/"});
  CHECK(is_in_tree("tests/project/"));
  CHECK_FALSE(is_in_tree("tests/project/none.cpp"));
}
