#include "formats/core/text/excerpt.hpp"

#include <cstdint>
#include <string>

#include "tests/support/catch.hpp"

using namespace heapcheck::core;

TEST_CASE("a short name is shown in full", "[excerpt]") {
  CHECK(make_excerpt("").empty());
  CHECK(make_excerpt("nursery") == "nursery");
  CHECK(make_excerpt(std::string(40, 'x')) == std::string(40, 'x'));
  CHECK(make_excerpt(std::string(500, 'x'), SIZE_MAX) == std::string(500, 'x'));
}

TEST_CASE("a long name is shortened in the middle, and its length is shown", "[excerpt]") {
  const std::string name = "abc" + std::string(1228, '-') + "xyz";
  CHECK(make_excerpt(name, 6) == "abc...xyz (1234 bytes)");
  CHECK(make_excerpt(name, 7) == "abc-...xyz (1234 bytes)");
  CHECK(make_excerpt(std::string(41, 'x')) ==
        std::string(20, 'x') + "..." + std::string(20, 'x') + " (41 bytes)");
}

TEST_CASE("control characters and bytes that are not UTF-8 are shown as hexadecimal numbers", "[excerpt]") {
  CHECK(make_excerpt("a\n\x1b[1m\xFF") == "a\\x0a\\x1b[1m\\xff");
  CHECK(make_excerpt("\xC2\x85\xC3\xA9") == "\\xc2\\x85\xC3\xA9");
}

TEST_CASE("characters that act on the text around them or are invisible are escaped", "[excerpt]") {
  for (const std::string text : {"\x7F", "\xC2\x9B", "\u00AD", "\u061C", "\u200B", "\u200E", "\u2028",
                                 "\u2029", "\u202A", "\u202E", "\u2066", "\u2069", "\uFEFF", "\U000E0041"}) {
    const std::string shown = make_excerpt("a" + text + "b");
    INFO(shown);
    CHECK(shown.starts_with("a\\x"));
    CHECK(shown.size() == 4 * text.size() + 2);
  }
  for (const std::string text : {" ", "~", "\u00A1", "\u00E9", "\u2010", "\u2030", "\u4E2D", "\U0001F600"})
    CHECK(make_excerpt(text) == text);
}

TEST_CASE("text cannot be a command of a CI system", "[excerpt]") {
  CHECK(make_excerpt("::error::x") == "\\x3a:error::x");
  CHECK(make_excerpt("  ::error") == "  \\x3a:error");
  CHECK(make_excerpt("\u00A0::error") == "\u00A0\\x3a:error");
  CHECK(make_excerpt("a ##[error] ##vso[x]") == "a \\x23#[error] \\x23#vso[x]");
  for (const std::string text : {"std::vector", "a ::b", ":x", "#x", "[#"}) CHECK(make_excerpt(text) == text);
}

TEST_CASE("a path cannot be an option", "[excerpt]") {
  CHECK(make_safe_path("-rf") == "./-rf");
  CHECK(make_safe_path("::error::") == "./::error::");
  for (const std::string path : {"-", "a-b", "/x", "./x", ""}) CHECK(make_safe_path(path) == path);
}

TEST_CASE("a cut falls between two characters", "[excerpt]") {
  std::string name;
  for (int i = 0; i < 20; ++i) name += "\xE2\x82\xAC";
  const std::string euro = "\xE2\x82\xAC";
  CHECK(make_excerpt(name, 8) == euro + "..." + euro + " (60 bytes)");
  CHECK(make_excerpt(std::string(20, '\n'), 9) == "\\x0a...\\x0a (20 bytes)");
  CHECK(shorten(name, 12) == euro + "..." + euro);
}

TEST_CASE("shortened text has the length asked for", "[excerpt]") {
  CHECK(shorten("/snapshots/0", 12) == "/snapshots/0");
  CHECK(shorten("/snapshots/0/kind", 12) == "/snap...kind");
  CHECK(shorten(std::string(300, 'x'), 199).size() == 199);
}

TEST_CASE("an opening is shortened at its end", "[excerpt]") {
  CHECK(make_opening("snapshot 1", 10) == "snapshot 1");
  CHECK(make_opening("snapshot 12", 10) == "snapshot 1...");
}
