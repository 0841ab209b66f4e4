#include "formats/v8/heapprofile/writer.hpp"

#include "tests/support/heapprofiles.hpp"

using namespace heapcheck;
using tests::read_profile;
using tests::read_profile_seed;
using tests::write_profile;

TEST_CASE("profiles of Chrome and Node.js are written back byte for byte", "[v8][heapprofile]") {
  const std::string name = GENERATE("chrome-64", "chrome-156", "node-12-small", "node-20-default",
                                    "node-20-names", "small", "deep");
  const std::string text = read_profile_seed(name + ".heapprofile");
  INFO(name);
  CHECK(write_profile(read_profile(text).profile) == text);
}

TEST_CASE("a profile in the form of v8.startHeapProfile() is written in the form of the inspector",
          "[v8][heapprofile]") {
  const auto reading = read_profile(read_profile_seed("samples-first.heapprofile"));
  const std::string expected =
      R"j({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},)j"
      R"j("selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"f","scriptId":"3","url":"file:///a.js",)j"
      R"j("lineNumber":2,"columnNumber":28},"selfSize":96,"id":2,"children":[]}]},)j"
      R"j("samples":[{"size":64,"nodeId":2,"ordinal":1234570},{"size":32,"nodeId":2,"ordinal":1234570}]})j";
  CHECK(write_profile(reading.profile) == expected);
}

TEST_CASE("members that a call frame lacks are not added", "[v8][heapprofile]") {
  const auto reading = read_profile(read_profile_seed("native.heapprofile"));
  CHECK(write_profile(reading.profile) ==
        R"j({"head":{"callFrame":{"functionName":"(root)","url":""},"selfSize":0,"children":[)j"
        R"j({"callFrame":{"functionName":"blink::V8GCController::Gc","url":"blink"},"selfSize":65536,)j"
        R"j("children":[]}]},"samples":[]})j");
}

TEST_CASE("the smallest and largest numbers are written as they were read", "[v8][heapprofile]") {
  const std::string text =
      R"j({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-2147483647,)j"
      R"j("columnNumber":2147483647},"selfSize":18446744073709551615,"id":9007199254740991,"children":[]},)j"
      R"j("samples":[{"size":18446744073709551615,"nodeId":0,"ordinal":18446744073709551615}]})j";
  CHECK(write_profile(read_profile(text).profile) == text);
}
