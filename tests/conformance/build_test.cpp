// Builds the bytes for recipes that are small enough to check by hand.
#include "conformance/recipe/build.hpp"

#include "conformance/recipe/case_file.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::conformance;

namespace {

Built build_text(std::string_view text) {
  std::size_t expectation_offset = 0;
  const auto statements = parse_statements(text, expectation_offset);
  REQUIRE(statements.has_value());
  auto built = build(*statements);
  REQUIRE(built.has_value());
  return std::move(*built);
}

Bytes bytes_of(std::string_view text) { return build_text(text).bytes; }

}  // namespace

TEST_CASE("elements are laid out in order", "[conformance]") {
  CHECK(bytes_of("bytes a \"x\\0\" hex ff\nu16 b 0x102\n") == Bytes{'x', 0, 0xFF, 2, 1});
}

TEST_CASE("a column is one frame of stored blocks", "[conformance]") {
  CHECK(bytes_of("column toy u16 7\n") == Bytes{'t',  'o',  'y', 0,    0,    0, 0, 0, 2,    0,
                                                0,    0,    0,   0,    0,    0, 0, 0, 0x28, 0xB5,
                                                0x2F, 0xFD, 0,   0x60, 0x11, 0, 0, 7, 0});
}

TEST_CASE("a change to the recipe adjusts numbers", "[conformance]") {
  const std::string recipe = "bytes a \"abc\"\nbytes c \"d\"\ninsert u8 b start of c after a\n";
  CHECK(bytes_of(recipe) == Bytes{'a', 'b', 'c', 4, 'd'});
  CHECK(bytes_of(recipe + "set a = \"\"\n") == Bytes{1, 'd'});
}

TEST_CASE("a change to the bytes does not adjust numbers", "[conformance]") {
  CHECK(
      bytes_of("bytes a \"abc\"\nbytes c \"d\"\ninsert u8 b end of c after a\ncut at c\npatch a = \"x\"\n") ==
      Bytes{'x', 'b', 'c', 5});
}

TEST_CASE("a table of contents lists the blocks before it", "[conformance]") {
  Built built = build_text("in part\ncolumn toy u16 7\nmeta text '{}'\ntoc inner\n");
  const auto start = built.find({"part.text", false, 0});
  const auto entry = built.find({"part.inner.entry[1].start", false, 0});
  REQUIRE(start.has_value());
  REQUIRE(entry.has_value());
  CHECK(built.bytes[*entry] == *start);
}

TEST_CASE("an error states the number of the line that is not a statement", "[conformance]") {
  std::size_t expectation_offset = 0;
  const auto statements = parse_statements("title: x\nsett a = 5\n", expectation_offset);
  REQUIRE(!statements.has_value());
  CHECK(statements.error() == "line 2: cannot read \"sett a = 5\"");
}
