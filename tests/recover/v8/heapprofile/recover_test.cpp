#include "recover/v8/heapprofile/recover.hpp"

#include <memory>
#include <regex>

#include "tests/support/check.hpp"
#include "tests/support/heapprofiles.hpp"
#include "tests/support/read_now.hpp"

using namespace heapcheck;
using recovery::v8::heapprofile::Recovery;
using tests::read_profile;
using tests::read_profile_seed;

namespace {

struct Recovered {
  Recovery recovery;
  std::string text;
};

Recovered recover(const std::string& text) {
  core::MemorySource source(core::as_bytes(text));
  core::MemorySink out;
  formats::Content content = tests::read_now(Format::v8_heapprofile, source);
  const auto recovery = recovery::v8::heapprofile::recover(source, content, {}, out);
  REQUIRE(recovery);
  return {*recovery, std::string(core::as_text(out.bytes()))};
}

std::uint64_t count(const std::string& text, const std::regex& pattern) {
  return static_cast<std::uint64_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()));
}

}  // namespace

TEST_CASE("recovering a profile cut off at any byte keeps every complete node and sample",
          "[v8][heapprofile][recover]") {
  const std::string name = GENERATE("small", "chrome-64", "node-20-default");
  const std::string text = read_profile_seed(name + ".heapprofile");
  const std::regex whole_size("\"selfSize\":[0-9]+,");
  const std::regex whole_sample("\"ordinal\":[0-9]+\\}");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    const auto [recovery, written] = recover(cut);
    INFO(name << " cut at " << length);
    REQUIRE(recovery.kept_nodes == count(cut, whole_size));
    REQUIRE(recovery.repaired_nodes == 0);
    REQUIRE(written.empty() == (recovery.kept_nodes == 0));
    if (written.empty()) continue;
    REQUIRE(recovery.kept_samples == count(cut, whole_sample));
    REQUIRE(tests::check(written).verdict == Verdict::valid);
  }
}

TEST_CASE("recovering profiles in other forms cut off at any byte yields valid profiles",
          "[v8][heapprofile][recover]") {
  const std::string name = GENERATE("samples-first", "native", "flat");
  const std::string text = read_profile_seed(name + ".heapprofile");
  const std::uint64_t nodes = read_profile(text).profile.nodes.count();
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto [recovery, written] = recover(text.substr(0, length));
    INFO(name << " cut at " << length);
    if (!written.empty()) REQUIRE(tests::check(written).verdict == Verdict::valid);
    if (length == text.size()) CHECK(recovery.kept_nodes == nodes);
  }
}

TEST_CASE("recovering a sound profile changes nothing", "[v8][heapprofile][recover]") {
  const std::string text = read_profile_seed("chrome-156.heapprofile");
  const auto [recovery, written] = recover(text);
  CHECK(written == text);
  CHECK_FALSE(recovery.has_lost());
}

TEST_CASE("nodes that lead to intact ones are kept without their own members", "[v8][heapprofile][recover]") {
  const auto [recovery, written] = recover(
      R"j({"head":{"children":[{"children":[{"callFrame":{"functionName":"f","url":"u"},"selfSize":7,"children":[]})j");
  CHECK(recovery.kept_nodes == 3);
  CHECK(recovery.repaired_nodes == 2);
  const auto reading = read_profile(written);
  REQUIRE(reading.profile.nodes.count() == 3);
  CHECK(reading.profile.strings[reading.profile.nodes.function_name[0]] == "(root)");
  CHECK(reading.profile.strings[reading.profile.nodes.function_name[1]] == "(lost)");
  CHECK(reading.profile.nodes.self_size == std::vector<std::uint64_t>{0, 0, 7});
}

TEST_CASE("a lost or repeated id is replaced by an unused one", "[v8][heapprofile][recover]") {
  const std::string frame = R"j({"callFrame":{"functionName":"f","scriptId":"3","url":"u","lineNumber":1,)j"
                            R"j("columnNumber":1},"selfSize":7,)j";
  const auto [recovery, written] = recover(
      R"j({"head":)j" + frame + R"j("id":1,"children":[)j" + frame + R"j("id":1,"children":[]},)j" + frame +
      R"j("id":-4,"children":[]}]},"samples":[{"size":7,"nodeId":2,"ordinal":1},{"size":7},{"size":1,"nodeId":1,"ordinal":2}]})j");
  CHECK(recovery.new_ids == 2);
  CHECK(recovery.kept_samples == 2);
  CHECK(recovery.dropped_samples == 1);
  CHECK(read_profile(written).profile.nodes.id == std::vector<std::uint64_t>{1, 3, 4});
  CHECK(tests::check(written).verdict == Verdict::valid);
}

TEST_CASE("members that V8 does not write are counted as lost", "[v8][heapprofile][recover]") {
  CHECK(recover(read_profile_seed("native.heapprofile")).recovery.lost_members == 1);
  CHECK(recover(read_profile_seed("small.heapprofile")).recovery.lost_members == 0);
}
