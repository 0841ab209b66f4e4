#include "formats/v8/heapprofile/reader.hpp"

#include "tests/support/heapprofiles.hpp"

using namespace heapcheck;
using namespace heapcheck::v8::heapprofile;
using tests::read_profile;
using tests::read_profile_seed;

namespace {

std::string_view text_of(const Profile& profile, core::PoolIndex index) { return profile.strings[index]; }

std::vector<std::string> rules_of(const tests::ProfileReading& reading) {
  std::vector<std::string> ids;
  for (const Finding& finding : reading.findings) ids.emplace_back(finding.rule->id);
  return ids;
}

/// A root with `depth - 1` nodes below it, each of which is the only child of the node above it.
std::string make_deep(std::size_t depth) {
  const std::string frame = R"j({"callFrame":{"functionName":"(root)","scriptId":"0","url":"",)j"
                            R"j("lineNumber":-1,"columnNumber":-1},"selfSize":1,"children":[)j";
  std::string text = R"j({"head":)j";
  for (std::size_t i = 0; i < depth; ++i) text += frame;
  for (std::size_t i = 0; i < depth; ++i) text += "]}";
  return text + "}";
}

using Rules = std::vector<std::string>;

}  // namespace

TEST_CASE("a profile of Node.js is read into columns", "[v8][heapprofile]") {
  const auto reading = read_profile(read_profile_seed("node-20-default.heapprofile"));
  const auto& [profile, container] = static_cast<const Reading&>(reading);
  CHECK(rules_of(reading).empty());
  CHECK(container.is_complete);
  REQUIRE(profile.nodes.count() == 8);
  CHECK(profile.nodes.parent[0] == no_parent);
  CHECK(text_of(profile, profile.nodes.function_name[0]) == "(root)");
  CHECK(profile.nodes.parent[7] == NodeIndex{6});
  CHECK(text_of(profile, profile.nodes.function_name[7]) == "getCLIOptionsFromBinding");
  CHECK(text_of(profile, profile.nodes.url[7]) == "node:internal/options");
  CHECK(text_of(profile, profile.nodes.script_id[7]) == "17");
  CHECK(profile.nodes.line[7] == 18);
  CHECK(profile.nodes.column[7] == 33);
  CHECK(profile.nodes.self_size[7] == 531136);
  CHECK(profile.nodes.id[7] == 8);
  REQUIRE(profile.samples.count() == 1);
  CHECK(profile.samples.size[0] == 531136);
  CHECK(profile.samples.node_id[0] == 8);
  CHECK(profile.samples.ordinal[0] == 1);
  CHECK(container.head->offset == 8);
  CHECK(container.samples->end() == container.byte_count - 1);
}

TEST_CASE("the summary of a profile holds its totals", "[v8][heapprofile]") {
  const Summary summary = summarise(read_profile(read_profile_seed("small.heapprofile")).profile);
  CHECK(summary.depth == 3);
  CHECK(summary.self_size == 96 + 4120 + 64);
  CHECK(summary.sample_size == 64 + 32 + 4120 + 16);
  CHECK(summary.functions == 5);
  CHECK(summary.scripts == 1);
}

TEST_CASE("a different order of members and white space between them change nothing", "[v8][heapprofile]") {
  const auto usual = read_profile(
      R"j({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},)j"
      R"j("selfSize":1,"id":1,"children":[{"callFrame":{"functionName":"f","scriptId":"3","url":"u",)j"
      R"j("lineNumber":5,"columnNumber":6},"selfSize":2,"id":2,"children":[]}]},)j"
      R"j("samples":[{"size":2,"nodeId":2,"ordinal":1}]})j");
  const auto other = read_profile(
      R"j({ "samples" : [ {"ordinal":1, "size":2e0,"nodeId":2 } ],
      "head":{"id":1,"children":[{"children":[ ],"id":2,"selfSize":2,"callFrame":{"url":"u","columnNumber":6,
      "lineNumber":5,"scriptId":"3","functionName":"f"}}],"selfSize":1.0,
      "callFrame":{"columnNumber":-1,"lineNumber":-1,"url":"","scriptId":"0","functionName":"(root)"}}})j");
  CHECK(rules_of(usual).empty());
  CHECK(rules_of(other).empty());
  CHECK(tests::write_profile(usual.profile) == tests::write_profile(other.profile));
}

TEST_CASE("a profile of an old version of V8, without ids and samples, is read", "[v8][heapprofile]") {
  const auto reading = read_profile(read_profile_seed("chrome-64.heapprofile"));
  CHECK(rules_of(reading).empty());
  CHECK(!reading.profile.has_samples);
  CHECK(reading.profile.nodes.id == std::vector<std::uint64_t>(reading.profile.nodes.count(), no_id));
}

TEST_CASE("call frames whose members are in the node itself are read, with lines counted from 0",
          "[v8][heapprofile]") {
  const auto reading = read_profile(read_profile_seed("flat.heapprofile"));
  CHECK(rules_of(reading) == Rules{"v8prof.node.flat-frame"});
  REQUIRE(reading.profile.nodes.count() == 2);
  CHECK(reading.profile.nodes.line == std::vector<std::int32_t>{-1, 2});
  CHECK(reading.profile.nodes.column == std::vector<std::int32_t>{-1, 28});
  CHECK(reading.container.node_parts[1] == NodeParts{true, true, true});
}

TEST_CASE("a chain of 100,000 nodes is read and written in bounded memory", "[v8][heapprofile]") {
  constexpr std::size_t depth = 100'000;
  const std::string text = make_deep(depth);
  const auto reading = read_profile(text);
  CHECK(rules_of(reading).empty());
  CHECK(summarise(reading.profile).depth == depth);
  CHECK(reading.profile.memory() + reading.container.memory() < 150 * depth);
  CHECK(tests::write_profile(reading.profile) == text);
}

TEST_CASE("the path of a deep node leaves out its middle", "[v8][heapprofile]") {
  const auto reading = read_profile(make_deep(1000));
  const std::string path = make_path(reading.profile.nodes, reading.container, NodeIndex{999});
  CHECK(path.starts_with("/head/children/0/children/0"));
  CHECK(path.find("/.../") != std::string::npos);
  CHECK(path.size() < 500);
  CHECK(make_path(reading.profile.nodes, reading.container, NodeIndex{2}) == "/head/children/0/children/0");
}

TEST_CASE("a number at the very end of the file is ignored", "[v8][heapprofile]") {
  const std::string text =
      R"j({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},)j"
      R"j("selfSize":12,"id":34)j";
  const auto cut_id = read_profile(text);
  CHECK(cut_id.profile.nodes.id[0] == no_id);
  CHECK(cut_id.container.node_parts[0] == NodeParts{true, true, false});
  CHECK(read_profile(text + ",").profile.nodes.id[0] == 34);
  const auto cut_size = read_profile(text.substr(0, text.find(",\"id\"")));
  CHECK(cut_size.container.node_parts[0] == NodeParts{true, false, false});
  CHECK(rules_of(cut_size) == Rules{"json.document.truncated"});
}

TEST_CASE("each name that V8 does not write is reported once", "[v8][heapprofile]") {
  std::string text = make_deep(50);
  for (std::size_t at = 0; (at = text.find("\"selfSize\"", at)) != std::string::npos; at += 30)
    text.insert(at, R"j("locationId":[{}],)j");
  const auto reading = read_profile(text);
  CHECK(rules_of(reading) == Rules{"v8prof.file.unknown-member"});
  CHECK(reading.container.unknown_members == 50);
}

TEST_CASE("reading a profile stops when the memory limit is reached", "[v8][heapprofile]") {
  Limits limits;
  limits.max_memory = 20'000;
  const auto reading = read_profile(make_deep(10'000), limits);
  CHECK(rules_of(reading) == Rules{"limit.memory"});
  CHECK(reading.profile.nodes.count() < 1000);
}
