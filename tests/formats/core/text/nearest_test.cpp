#include "formats/core/text/nearest.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using heapcheck::core::edit_distance;
using heapcheck::core::find_nearest;

TEST_CASE("each kind of edit counts as one", "[spelling]") {
  CHECK(edit_distance("output", "output") == 0);
  CHECK(edit_distance("outpt", "output") == 1);
  CHECK(edit_distance("outpuut", "output") == 1);
  CHECK(edit_distance("outbut", "output") == 1);
  CHECK(edit_distance("outptu", "output") == 1);
}

TEST_CASE("edits add up, in both directions and from an empty word", "[spelling]") {
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("sitting", "kitten") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // swapped bytes are not edited a second time
  CHECK(edit_distance("", "info") == 4);
  CHECK(edit_distance("info", "") == 4);
  CHECK(edit_distance("", "") == 0);
}

TEST_CASE("the nearest word is the one with the fewest edits", "[spelling]") {
  const std::vector<std::string> words{"output", "output-file", "for", "jobs"};
  CHECK(find_nearest("outpt", words) == "output");
  CHECK(find_nearest("output-fil", words) == "output-file");
  CHECK(find_nearest("jbos", words) == "jobs");
}

TEST_CASE("among words with the same number of edits, the one whose bytes differ least is chosen",
          "[spelling]") {
  const std::vector<std::string> words{"mvmheap-v1", "mvmheap-v2", "mvmheap-v2:increments", "mvmheap-v3"};
  CHECK(find_nearest("mvmheap-v4", words) == "mvmheap-v3");
  CHECK(find_nearest("mvmheap-v0", words) == "mvmheap-v1");
  CHECK(find_nearest("mvmheap-v2:inc", words) == "mvmheap-v2:increments");
}

TEST_CASE("among words with the same number of edits, the first letter counts more than the others",
          "[spelling]") {
  const std::vector<std::string> shells{"bash", "zsh", "fish"};
  CHECK(find_nearest("bsh", shells) == "bash");
  CHECK(find_nearest("zash", shells) == "zsh");
  CHECK(find_nearest("mash", shells) == "bash");  // the first letter is wrong in all
}

TEST_CASE("the first three letters of a word are enough", "[spelling]") {
  const std::vector<std::string> words{"validate", "info"};
  CHECK(find_nearest("val", words) == "validate");
  CHECK(find_nearest("va", words).empty());
}

TEST_CASE("nothing is suggested if no word is similar", "[spelling]") {
  const std::vector<std::string> words{"to", "for", "validate"};
  CHECK(find_nearest("frobnicate", words).empty());
  CHECK(find_nearest("xy", words).empty());
  CHECK(find_nearest("x", words).empty());
  CHECK(find_nearest("", words).empty());
  CHECK(find_nearest("validate", {}).empty());
}

TEST_CASE("words of quite another length take no time", "[spelling]") {
  const std::vector<std::string> words(200, "mvm3.toc.entry-end");
  const auto start = std::chrono::steady_clock::now();
  CHECK(find_nearest(std::string(3'000'000, 'm'), words).empty());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
