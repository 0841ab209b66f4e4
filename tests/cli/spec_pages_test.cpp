// Tests finding the part of a section in the specification that states a rule.
#include "cli/spec_pages.hpp"

#include <string>

#include "tests/support/catch.hpp"

using heapcheck::cli::find_paragraph;
using heapcheck::cli::find_paragraph_in;
using heapcheck::cli::find_section;

namespace {

const std::string section =
    "## Entries\n"
    "\n"
    "Entries have a size (`a.size`). It counts\n"
    "bytes.\n"
    "\n"
    "- A start MUST be a block,\n"
    "  because readers seek there (`a.start`).\n"
    "  - An inner item (`a.inner`).\n"
    "- An end\n"
    "  MUST follow (`a.end`).\n"
    "\n"
    "1. First (`a.first`).\n"
    "2. Second, `a.size` again.\n"
    "\n"
    "| rule | limit |\n"
    "|---|---|\n"
    "| `a.row` | 1 |\n"
    "| `a.other` | 2 |\n"
    "| `a.row` | 3 |\n"
    "\n"
    "```\n"
    "entry = start end\n"
    "```\n";

}  // namespace

TEST_CASE("the paragraph of a rule is the first one that contains its id", "[spec-pages]") {
  CHECK(find_paragraph_in(section, "a.size") == "Entries have a size (`a.size`). It counts\nbytes.\n");
}

TEST_CASE("a list item is shown without its bullet, with the items nested in it", "[spec-pages]") {
  CHECK(find_paragraph_in(section, "a.start") ==
        "A start MUST be a block,\nbecause readers seek there (`a.start`).\n- An inner item (`a.inner`).\n");
  CHECK(find_paragraph_in(section, "a.inner") == "An inner item (`a.inner`).\n");
  CHECK(find_paragraph_in(section, "a.end") == "An end\nMUST follow (`a.end`).\n");
  CHECK(find_paragraph_in(section, "a.first") == "First (`a.first`).\n");
}

TEST_CASE("for a table, its header and the rows with the id are shown", "[spec-pages]") {
  CHECK(find_paragraph_in(section, "a.row") ==
        "| rule | limit |\n|---|---|\n| `a.row` | 1 |\n| `a.row` | 3 |\n");
}

TEST_CASE("a section that does not contain the id is shown in full", "[spec-pages]") {
  CHECK(find_paragraph_in(section, "a.none") == section);
  CHECK(find_paragraph_in(section, "a.siz") == section);
}

TEST_CASE("a section ends at the next heading of its level", "[spec-pages]") {
  const auto found = find_section("mvmheap/v3.md#toc");
  REQUIRE(found);
  CHECK(found->starts_with("## "));
  CHECK(found->find("\n## ") == std::string::npos);
}

TEST_CASE("an anchor that does not exist has no paragraph", "[spec-pages]") {
  CHECK(!find_paragraph("mvmheap/v3.md#no-such-heading", "a.size"));
  CHECK(!find_paragraph("no-such-page.md#toc", "a.size"));
  CHECK(!find_paragraph("mvmheap/v3.md", "a.size"));
}
