#include "export/writers.hpp"

#include <initializer_list>
#include <string>

#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

AllocationProfile make_profile(std::initializer_list<const char*> names) {
  AllocationProfile profile;
  for (const char* const name : names)
    profile.frames.push_back({.name = profile.texts.add(name)});  // one without a place for each name
  return profile;
}

struct WrittenDhat {
  std::string text;
  exports::Written written;
};

WrittenDhat write_dhat(const AllocationProfile& profile, Format format = Format::heaps_v2) {
  core::MemorySink sink;
  auto written = exports::profiles::write_dhat({.file = "a",
                                                .format = format,
                                                .snapshot = 3,
                                                .profile = profile,
                                                .is_dominator_tree = format == Format::mvmheap_v3},
                                               sink);
  REQUIRE(written);
  return {.text = {sink.bytes().begin(), sink.bytes().end()}, .written = std::move(*written)};
}

/// The part between the brackets of the member with that name.
std::string find_array(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find('"' + name + "\":[") + name.size() + 4;
  return text.substr(begin, text.find(name == "pps" ? "],\"ftbl" : "]}", begin) - begin);
}

}  // namespace

TEST_CASE("a program point of dhat has its frames from the innermost on, its bytes and its objects",
          "[export]") {
  AllocationProfile profile = make_profile({"(root)", "main", ""});
  profile.caller = {0, 0, 1};
  profile.frame = {0, 1, 2};
  profile.place = {2, 1, 2, 0};
  profile.size = {8, 16, 2, 0};
  profile.count = {1, 4, 1, 0};
  profile.process.name = "Renderer 7";
  const auto [text, written] = write_dhat(profile);
  CHECK(text ==
        R"x({"dhatFileVersion":2,"mode":"heap-snapshot","verb":"Allocated","bklt":false,"bkacc":false,)x"
        R"x("bksu":"objects","tu":"millionths of the snapshot","Mtu":"snapshot",)x"
        R"x("cmd":"a, snapshot 3, process Renderer 7","pid":0,"te":1000000,"pps":[)x"
        R"x({"tb":16,"tbk":4,"fs":[2]},{"tb":10,"tbk":2,"fs":[3,2]}],)x"
        R"x("ftbl":["[root]","(root)","main","(anonymous)"]})x");
  CHECK(written.amounts[0].count == 2);
  CHECK(written.amounts[1].count == 26);
  CHECK(written.losses.empty());
}

TEST_CASE("dhat counts stacks if there are no numbers of objects, and types that are held", "[export]") {
  AllocationProfile profile = make_profile({"(root)", "f"});
  profile.caller = {0, 0};
  profile.frame = {0, 1};
  profile.place = {0, 1};
  profile.size = {0, 5};
  const std::string text = write_dhat(profile, Format::mvmheap_v3).text;
  CHECK(find_array(text, "pps") == R"({"tb":5,"tbk":1,"fs":[2]})");
  CHECK(text.find(R"("bksu":"stacks")") != std::string::npos);
  CHECK(text.find(R"("verb":"Held")") != std::string::npos);
}

TEST_CASE("places with the same frames share a program point of dhat", "[export]") {
  AllocationProfile profile = make_profile({"(root)", "f", "g"});
  profile.caller = {0, 0, 0, 1, 2, 0};
  profile.frame = {0, 1, 1, 2, 2, 0};
  profile.place = {0, 1, 2, 3, 4, 5};
  profile.size = {1, 10, 20, 100, 200, 2};
  CHECK(find_array(write_dhat(profile).text, "pps") ==
        R"({"tb":30,"tbk":1,"fs":[2]},{"tb":300,"tbk":1,"fs":[3,2]},{"tb":3,"tbk":1,"fs":[1]})");
}

TEST_CASE("functions with the same name but different places are different frames of dhat", "[export]") {
  AllocationProfile profile = make_profile({"(root)", "", "f", "app.js"});
  profile.frames = {
      {.name = 0}, {.name = 2, .script = 3, .line = 7, .column = 12}, {.name = 2}, {.name = 1, .script = 3}};
  profile.caller = {0, 0, 0, 0, 0};
  profile.frame = {0, 1, 1, 2, 3};
  profile.place = {1, 2, 3, 4};
  profile.size = {1, 2, 4, 8};
  const std::string text = write_dhat(profile, Format::v8_heapprofile).text;
  CHECK(find_array(text, "pps") ==
        R"x({"tb":3,"tbk":1,"fs":[2]},{"tb":4,"tbk":1,"fs":[3]},{"tb":8,"tbk":1,"fs":[4]})x");
  CHECK(find_array(text, "ftbl") == R"x("[root]","(root)","f (app.js:7:12)","f","(anonymous) (app.js)")x");
}

TEST_CASE("numbers that JavaScript rounds are a loss of dhat", "[export]") {
  AllocationProfile profile = make_profile({"(root)"});
  profile.caller = {0};
  profile.frame = {0};
  profile.place = {0};
  profile.count = {1};
  profile.size = {std::uint64_t{1} << 53U};
  CHECK(write_dhat(profile).written.losses.empty());
  ++profile.size[0];
  const auto [text, written] = write_dhat(profile);
  CHECK(find_array(text, "pps") == R"({"tb":9007199254740993,"tbk":1,"fs":[1]})");
  REQUIRE(written.losses.size() == 1);
  CHECK(written.losses[0].count == 1);
}

TEST_CASE("numbers that other forms round or limit are losses of them, too", "[export]") {
  AllocationProfile profile = make_profile({"(root)", "bad \xFF"});
  profile.caller = {0, 0};
  profile.frame = {0, 1};
  profile.place = {1};
  profile.size = {std::uint64_t{1} << 63U};
  const exports::StacksInput input{
      .file = "a", .format = Format::v8_heapprofile, .snapshot = 0, .profile = profile};
  core::MemorySink sink;
  const auto speedscope = exports::profiles::write_speedscope(input, sink);
  REQUIRE(speedscope);
  CHECK(speedscope->losses.size() == 1);
  const auto pprof = exports::profiles::write_pprof(input, sink);
  REQUIRE(pprof);
  REQUIRE(pprof->losses.size() == 2);
  CHECK(pprof->losses[0].reason == "limited to 2^63 - 1");
  CHECK(pprof->losses[1].count == 1);
}

TEST_CASE("a column without a line is not shown as one", "[export]") {
  AllocationProfile profile = make_profile({"(root)", "f", "a.js"});
  profile.caller = {0, 0};
  profile.frames = {{.name = 0, .script = 2}, {.name = 1, .script = 2, .column = 6}};
  profile.frame = {0, 1};
  profile.place = {1};
  profile.size = {1};
  CHECK(find_array(write_dhat(profile).text, "ftbl") == R"x("[root]","(root) (a.js)","f (a.js)")x");
}
