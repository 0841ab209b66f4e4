#include "analyze/text_hasher.hpp"

#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

using heapcheck::analyze::TextHasher;
using heapcheck::analyze::TextMeasure;

TEST_CASE("the measures of two parts of a text give the measure of the text", "[analyze][duplicates]") {
  const TextHasher hasher;
  const std::string text = "a text of several words, \xC3\xA9 and \xF0\x9F\x98\x80";
  const TextMeasure whole = hasher.measure(text);
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const std::string_view all = text;
    const TextMeasure joined = hasher.join(hasher.measure(all.substr(0, i)), hasher.measure(all.substr(i)));
    CHECK(joined.hashes == whole.hashes);
    CHECK(joined.bytes == text.size());
  }
}

TEST_CASE("texts that differ in a byte, its place or their length have different hashes",
          "[analyze][duplicates]") {
  const TextHasher hasher;
  const auto hashes = [&](std::string_view text) { return hasher.measure(text).hashes; };
  CHECK(hashes("abcdefghij") != hashes("abcdefghik"));
  CHECK(hashes("abcdefghij") != hashes("bacdefghij"));
  CHECK(hashes(std::string(9, '\0')) != hashes(std::string(10, '\0')));
  CHECK(hashes("") != hashes(std::string(1, '\0')));
}

TEST_CASE("the length of a text is counted in UTF-16, up to the longest one", "[analyze][duplicates]") {
  using heapcheck::analyze::count_units;
  CHECK(count_units("\xC3\xA9\xF0\x9F\x98\x80") == 3);
  CHECK(count_units(std::string(2000, 'x')) == heapcheck::analyze::longest_text);
}
