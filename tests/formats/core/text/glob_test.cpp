#include "formats/core/text/glob.hpp"

#include <string>

#include "tests/support/catch.hpp"

using heapcheck::core::matches_glob;

TEST_CASE("a star stands for any characters, and a question mark for one", "[glob]") {
  CHECK(matches_glob("a*c", "abbc"));
  CHECK(matches_glob("a*c", "ac"));
  CHECK(matches_glob("*b*c*", "abcbd"));
  CHECK(matches_glob("a?c", "abc"));
  CHECK(matches_glob("", ""));
  CHECK(matches_glob("**", ""));
  CHECK(!matches_glob("a?c", "ac"));
  CHECK(!matches_glob("a*c", "abcd"));
  CHECK(!matches_glob("?", ""));
  CHECK(!matches_glob("", "a"));
}

TEST_CASE("other characters stand for themselves", "[glob]") {
  CHECK(matches_glob("a[1].*", "a[1].heapsnapshot"));
  CHECK(!matches_glob("a[1].*", "a1.heapsnapshot"));
  CHECK(matches_glob("\\*", "\\x"));
}

TEST_CASE("with a separator, a start of the text up to one is enough", "[glob]") {
  CHECK(matches_glob("mvm3", "mvm3.toc.entry", '.'));
  CHECK(matches_glob("*.to?", "mvm3.toc.entry", '.'));
  CHECK(matches_glob("*entry", "mvm3.toc.entry", '.'));
  CHECK(!matches_glob("mvm3.to", "mvm3.toc.entry", '.'));
  CHECK(!matches_glob("mvm3", "mvm3.toc.entry"));
}

TEST_CASE("a pattern with many stars does not take exponential time", "[glob]") {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  const std::string text(5000, 'a');
  CHECK(matches_glob(pattern, text));
  CHECK(!matches_glob(pattern + "*b", text));
  CHECK(!matches_glob(pattern + "*b", text + ".a", '.'));
}
