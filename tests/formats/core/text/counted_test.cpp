#include "formats/core/text/counted.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;

TEST_CASE("only the number 1 has a noun in the singular", "[core][counted]") {
  CHECK(core::counted(0, "byte") == "0 bytes");
  CHECK(core::counted(1, "byte") == "1 byte");
  CHECK(core::counted(2, "entry") == "2 entries");
  CHECK(core::counted(1, {"row has", "rows have"}) == "1 row has");
  CHECK(core::counted(2, {"row has", "rows have"}) == "2 rows have");
}

TEST_CASE("nouns are found by their singular and by their plural", "[core][counted]") {
  for (const core::Noun& noun : core::nouns) {
    CHECK(core::find_noun(noun.one).many == noun.many);
    CHECK(core::find_noun(noun.many).one == noun.one);
  }
  CHECK(core::counted(1, core::find_noun("rows of other sections")) == "1 row of other sections");
  CHECK(core::counted(2, core::find_noun("sheep")) == "2 sheep");
}
