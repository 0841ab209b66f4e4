#include "formats/core/text/source_path.hpp"

#include "tests/support/catch.hpp"

using namespace heapcheck;

TEST_CASE("paths from a root, a drive or a server are absolute", "[text][places]") {
  for (const char* file : {"/srv/app.js", "C:\\app.js", "C:/app.js", "file:///app.js", "https://a.org/b.js"})
    CHECK(core::is_absolute(file));
  for (const char* file : {"", "app.js", "src/app.js", "node:fs", "C:", "[eval]"})
    CHECK(!core::is_absolute(file));
}

TEST_CASE("the last parts of a path are taken at both kinds of separators", "[text][places]") {
  CHECK(core::last_parts("/srv/src/app.js", 2) == "src/app.js");
  CHECK(core::last_parts("C:\\src\\app.js", 1) == "app.js");
  CHECK(core::last_parts("/app.js", 2) == "/app.js");
  CHECK(core::last_parts("app.js", 1) == "app.js");
  CHECK(core::last_parts("src/", 1).empty());
  CHECK(core::last_parts("", 2).empty());
}
