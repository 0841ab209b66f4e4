#include "validate/chrome/heaps_v2/check.hpp"

#include <fmt/format.h>

#include "formats/core/source.hpp"
#include "tests/support/check.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using tests::check;

namespace {

using Ids = std::vector<std::string>;

std::string read_seed(const std::string& name) { return tests::read_corpus("chrome/heaps_v2/seed/" + name); }

/// The ids of errors and warnings, in the order of the report.
Ids ids_of(const Report& report) {
  Ids ids;
  for (const Finding& finding : report.findings) {
    if (finding.rule->severity != Severity::note) ids.emplace_back(finding.rule->id);
  }
  for (const More& more : report.more) ids.push_back(fmt::format("more {}", more.rule->id));
  return ids;
}

/// A trace of one process whose dumps have these members.
std::string make_trace(const std::vector<std::string>& objects) {
  std::string text;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    text += fmt::format(
        R"({}{{"ph":"v","pid":1,"ts":{},"id":"{}","args":{{"dumps":{{"heaps_v2":{{"version":1,{}}}}}}}}})",
        i == 0 ? "[" : ",", i, i, objects[i]);
  }
  return text + "]";
}

std::string make_rows(const std::string& nodes, const std::string& types, std::size_t count) {
  std::string ones = "1";
  for (std::size_t i = 1; i < count; ++i) ones += ",1";
  return fmt::format(R"("allocators":{{"a":{{"nodes":[{}],"types":[{}],"counts":[{}],"sizes":[{}]}}}})",
                     nodes, types, ones, ones);
}

/// Removes the object that begins at `at`, together with one of the commas around it.
std::string without_object(std::string text, std::size_t at) {
  std::size_t end = text.find('}', at) + 1;
  if (text[end] == ',') {
    ++end;
  } else if (text[at - 1] == ',') {
    --at;
  }
  return text.erase(at, end - at);
}

}  // namespace

TEST_CASE("changing a digit in a file from Chrome causes at most one finding", "[heaps_v2]") {
  for (const std::string seed : {"chrome-120-small.json", "chrome-62-style.json"}) {
    const std::string sound = read_seed(seed);
    CHECK(ids_of(check(sound)).empty());
    const std::size_t first = sound.find("heaps_v2");
    std::size_t found = 0;
    for (std::size_t i = first; i < sound.size(); ++i) {
      if (sound[i] < '0' || sound[i] > '9') continue;
      std::string text = sound;
      text[i] = sound[i] == '9' ? '1' : static_cast<char>(sound[i] + 1);
      const Ids ids = ids_of(check(text));
      INFO(seed << " at " << i);
      CHECK(ids.size() <= 1);
      found += ids.size();
    }
    CHECK(found > 60);
  }
}

TEST_CASE("each row that is lost from a map causes one finding", "[heaps_v2]") {
  for (const std::string seed : {"chrome-120-small.json", "in-process.json"}) {
    const std::string sound = read_seed(seed);
    std::size_t found = 0;
    for (std::size_t at = sound.find("{\"id\":"); at != std::string::npos;
         at = sound.find("{\"id\":", at + 1)) {
      const Ids ids = ids_of(check(without_object(sound, at)));
      INFO(seed << " at " << at);
      CHECK(ids.size() <= 1);
      found += ids.size();
    }
    CHECK(found > 16);
  }
}

TEST_CASE("a file that is cut off at any point is reported only as truncated", "[heaps_v2]") {
  const std::string sound = read_seed("in-process.json");
  for (std::size_t i = 20; i + 1 < sound.size(); i += 7) {
    INFO(i);
    CHECK(ids_of(check(sound.substr(0, i))) == Ids{"json.document.truncated"});
  }
}

TEST_CASE("a cycle of any length is reported once, in linear time", "[heaps_v2]") {
  for (const std::size_t length : {1U, 2U, 3U, 200'000U}) {
    std::string nodes;
    for (std::size_t i = 0; i < length + 10; ++i) {
      // The last ten nodes lead into the cycle.
      const std::size_t parent = i < length ? (i + 1) % length : i - 1;
      nodes += fmt::format(R"({}{{"id":{},"name_sid":1,"parent":{}}})", i == 0 ? "" : ",", i + 1, parent + 1);
    }
    const auto report = check(
        make_trace({fmt::format(R"("maps":{{"nodes":[{}],"strings":[{{"id":1,"string":"a"}}]}})", nodes)}));
    CHECK(ids_of(report) == Ids{"heaps2.maps.cycle"});
    CHECK(report.findings.at(0).location.path == "/0/args/dumps/heaps_v2/maps/nodes/0/parent");
  }
}

TEST_CASE("an id is looked up in earlier maps only if the writer adds to them", "[heaps_v2]") {
  const auto with = [](int node, int type, int string) {
    return fmt::format(
        R"("maps":{{"nodes":[{{"id":{0},"name_sid":{2}}}],"types":[{{"id":{1},"name_sid":{2}}}],)"
        R"("strings":[{{"id":{2},"string":"a"}}]}})",
        node, type, string);
  };
  const std::string first = make_rows("5", "1", 1) + "," + with(5, 1, 1);
  // These ids were not used before, so the second dump adds to the first.
  CHECK(ids_of(check(make_trace({first, make_rows("5,6", "1,2", 2) + "," + with(6, 2, 2)}))).empty());
  // The same type id is used again, so the maps are complete, and node 5 belongs to the other dump.
  const auto report = check(make_trace({first, make_rows("6,6,5", "1,1,1", 3) + "," + with(6, 1, 2)}));
  CHECK(ids_of(report) == Ids{"heaps2.rows.dangling-node"});
  CHECK(report.findings.at(0).message.find("another dump") != std::string::npos);
}

TEST_CASE("ids that are far apart take no more memory than others", "[heaps_v2]") {
  std::string nodes;
  std::string rows;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const std::uint64_t id = 1 + i * 100'000'000'000;
    nodes += fmt::format(R"({}{{"id":{},"name_sid":1}})", i == 0 ? "" : ",", id);
    rows += fmt::format("{}{}", i == 0 ? "" : ",", id);
  }
  std::string zeros = "0";
  for (int i = 1; i < 50'000; ++i) zeros += ",0";
  const auto report = check(
      make_trace({make_rows(rows, zeros, 50'000) +
                  fmt::format(R"(,"maps":{{"nodes":[{}],"strings":[{{"id":1,"string":"a"}}]}})", nodes)}));
  CHECK(ids_of(report).empty());
}

TEST_CASE("a missing row causes one finding with the number of references to it", "[heaps_v2]") {
  const std::string object = make_rows("7,1,7,1,1,1", "0,0,0,0,0,0", 6) +
                             R"(,"maps":{"nodes":[{"id":1,"name_sid":1}],"strings":[{"id":1,"string":"a"}]})";
  const auto report = check(make_trace({object}));
  CHECK(ids_of(report) == Ids{"heaps2.rows.dangling-node"});
  CHECK(report.findings.at(0).message == "2 rows refer to node 7, expected that node in the maps");
}
