// Tests how places in source code are shown to users.
#include "analyze/printed_name.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck;
using analyze::show_place;
using analyze::show_place_after;

TEST_CASE("of an absolute path or URL, the last two parts are shown", "[analyze][places]") {
  CHECK(show_place({"/srv/shop/src/app.js", 41, 3}) == "src/app.js:41");
  CHECK(show_place({"file:///srv/shop/src/app.js", 41, 3}) == "src/app.js:41");
  CHECK(show_place({"https://example.org/app.js", 41, 3}) == "example.org/app.js:41");
  CHECK(show_place({"C:\\shop\\src\\app.js", 41, 3}) == "src\\app.js:41");
  CHECK(show_place({"/app.js", 41, 3}) == "/app.js:41");
  CHECK(show_place({"gen/moar/stage2/QAST.nqp", 41}) == "gen/moar/stage2/QAST.nqp:41");
  CHECK(show_place({"node:internal/timers", 41}) == "node:internal/timers:41");
}

TEST_CASE("what is unknown of a place is not shown", "[analyze][places]") {
  CHECK(show_place({"app.js"}) == "app.js");
  CHECK(show_place({"", 41, 3}) == "?:41");
  CHECK(show_place_after({}).empty());
  CHECK(show_place_after({"app.js", 1}) == " (app.js:1)");
}
