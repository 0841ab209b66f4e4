// Checks that the lines of Markdown pages are short enough to be read and compared side by side
// (CONTRIBUTING.md, "Language").
#include <algorithm>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t max_columns = 120;

/// Generated pages.
constexpr std::string_view generated[] = {"spec/rules.md"};

/// The number of code points.
std::size_t count_columns(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string_view trim(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(begin);
}

/// Returns whether the line, without the bullet of a list item, is a single word or link, which may be
/// followed by a full stop or comma.
bool is_unbreakable(std::string_view line) {
  line = trim(line);
  if (line.starts_with("- ")) line = trim(line.substr(2));
  if (line.find(' ') == std::string_view::npos) return true;
  const std::size_t text_end = line.find("](");
  return line.starts_with('[') && text_end != std::string_view::npos &&
         line.find(' ', text_end) == std::string_view::npos;
}

/// The numbers of the lines that are too long, counted from 1. Tables and code blocks may be wider.
std::vector<std::size_t> find_long_lines(const Lines& lines) {
  std::vector<std::size_t> found;
  bool in_code = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trim(lines[i]);
    if (line.starts_with("```")) in_code = !in_code;
    const bool is_exempt = in_code || line.starts_with('|') || is_unbreakable(line);
    if (!is_exempt && count_columns(lines[i]) > max_columns) found.push_back(i + 1);
  }
  return found;
}

}  // namespace

TEST_CASE("Markdown pages are wrapped at 120 columns", "[project][markdown]") {
  const auto pages = find_files("", ".md");
  REQUIRE(pages.size() > 10);  // otherwise the tree was not found
  for (const std::string& page : pages) {
    if (std::ranges::find(generated, page) != std::end(generated)) continue;
    for (const std::size_t line : find_long_lines(read_lines(page)))
      FAIL_CHECK(page << ":" << line << ": has more than " << max_columns << " columns");
  }
}

TEST_CASE("long lines are found, except in tables, code blocks and links", "[project][markdown]") {
  const std::string words = "word " + std::string(116, 'x');
  const std::string link = "[a link](" + std::string(120, 'x') + ")";
  CHECK(find_long_lines({words, words.substr(1), "- " + words}) == std::vector<std::size_t>{1, 3});
  CHECK(find_long_lines({"```", words, "```", words}) == std::vector<std::size_t>{4});
  CHECK(find_long_lines({"| " + words + " |", link, "- " + link + "."}).empty());
  CHECK(find_long_lines({link + " and more"}) == std::vector<std::size_t>{1});
}

TEST_CASE("columns are counted in characters, not in bytes", "[project][markdown]") {
  CHECK(count_columns("\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80 a") == 5);
}
