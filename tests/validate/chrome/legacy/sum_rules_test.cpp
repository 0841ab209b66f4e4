// Tests that one damaged entry causes one finding at that entry.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/chrome_legacy.hpp"
#include "validate/chrome/legacy/check.hpp"

using namespace heapcheck;

namespace {

struct Entry {
  std::string stack;
  std::string type;
  std::uint64_t size;
};

/// A chain of callers with two types each, and a second callee of the outermost caller.
std::vector<Entry> make_entries() {
  return {{"", "", 1000},  {"", "0", 600},  {"", "1", 400},  {"0", "", 900},  {"0", "0", 550},
          {"0", "1", 350}, {"1", "", 500},  {"1", "0", 300}, {"1", "1", 200}, {"2", "", 450},
          {"2", "0", 260}, {"2", "1", 190}, {"3", "", 390},  {"3", "0", 245}, {"3", "1", 145}};
}

std::string write(const std::vector<Entry>& entries) {
  std::string text;
  for (const auto& [stack, type, size] : entries) {
    std::string digits;
    for (std::uint64_t rest = size; rest != 0; rest /= 16) digits.insert(0, 1, "0123456789abcdef"[rest % 16]);
    text += (text.empty() ? "" : ",") + std::string(R"({"size":")") + digits + R"(","bt":")" + stack + "\"";
    text += type.empty() ? "}" : R"(,"type":")" + type + "\"}";
  }
  return tests::make_legacy(text,
                            R"("0":{"name":"a"},"1":{"name":"b","parent":"0"},"2":{"name":"c","parent":"1"},
    "3":{"name":"d","parent":"0"},"4":{"name":"e","parent":"3"})",
                            R"("0":"T","1":"U","2":"V")");
}

/// The rule and the entry of each finding.
std::vector<std::pair<std::string, std::string>> check(const std::vector<Entry>& entries) {
  const auto trace = tests::read_legacy(write(entries));
  REQUIRE(trace.findings.empty());
  validation::Collector collector(20);
  validation::chrome::legacy::check(trace.model, true, 1, collector);
  std::vector<std::pair<std::string, std::string>> found;
  for (const Finding& finding : collector.take_findings()) {
    const std::string& path = finding.location.path;
    found.emplace_back(finding.rule->id, path.substr(path.find("entries/") + 8));
  }
  return found;
}

using Found = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("consistent values cause no findings", "[chrome][legacy]") {
  CHECK(check(make_entries()) == Found{});
}

TEST_CASE("the entry of a caller is found among those of many types", "[chrome][legacy]") {
  std::string entries = R"({"size":"fff","bt":""})";
  std::string types;
  const auto add = [&entries](std::string_view stack, std::size_t type, std::string_view size) {
    entries += fmt::format(R"(,{{"size":"{}","bt":"{}","type":"{}"}})", size, stack, type);
  };
  for (std::size_t type = 0; type < 40; ++type) {
    types += fmt::format(R"({}"{}":"T{}")", type == 0 ? "" : ",", type, type);
    add("", type, "10");
  }
  entries += R"(,{"size":"40","bt":"0"})";
  for (const std::size_t type : {3U, 39U}) add("0", type, type == 39 ? "11" : "10");
  const auto trace = tests::read_legacy(tests::make_legacy(entries, R"("0":{"name":"a"})", types));
  validation::Collector collector(20);
  validation::chrome::legacy::check(trace.model, true, 1, collector);
  const auto findings = collector.take_findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].rule->id == "legacy.entry.child-sum");
  CHECK(findings[0].location.path.ends_with("/40"));
}

TEST_CASE("a value that is far too large or small causes one finding, at its entry", "[chrome][legacy]") {
  const std::vector<Entry> sound = make_entries();
  for (std::size_t row = 1; row < sound.size(); ++row) {
    auto entries = sound;
    entries[row].size += 4096;
    INFO(row);
    const Found found = check(entries);
    REQUIRE(found.size() == 1);
    CHECK(found[0].second == std::to_string(row));
  }
  for (const std::size_t row : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U}) {
    auto entries = sound;
    entries[row].size = 1;
    INFO(row);
    const Found found = check(entries);
    REQUIRE(found.size() == 1);
    CHECK(found[0].second == std::to_string(row));
  }
}

TEST_CASE("a wrong stack or type causes one finding, at its entry", "[chrome][legacy]") {
  const std::vector<Entry> sound = make_entries();
  for (std::size_t row = 1; row < sound.size(); ++row) {
    for (const std::string_view stack : {"0", "1", "2", "3", "4", "9"}) {
      if (stack == sound[row].stack) continue;
      auto entries = sound;
      entries[row].stack = stack;
      INFO(row << " of stack " << stack);
      const Found found = check(entries);
      CHECK(found.size() <= 1);
      if (found.size() == 1 && found[0].first != "legacy.entry.missing-total") {
        CHECK(found[0].second.substr(0, found[0].second.find('/')) == std::to_string(row));
      }
    }
  }
}

TEST_CASE("names that may be in the missing part of a trace are not reported as missing",
          "[chrome][legacy]") {
  const auto trace = tests::read_legacy(
      R"([{"pid":7,"id":"0x1","ph":"v","args":{"dumps":{"heaps":{"malloc":{"entries":[{"size":"1","bt":"0"}]}}}}},{)");
  REQUIRE(!trace.is_complete);
  for (const bool is_complete : {false, true}) {
    validation::Collector collector(20);
    validation::chrome::legacy::check(trace.model, is_complete, 1, collector);
    std::size_t missing = 0;
    for (const Finding& finding : collector.take_findings()) {
      missing += finding.rule->id.ends_with("s.missing") ? 1U : 0U;
    }
    CHECK(missing == (is_complete ? 2U : 0U));
  }
}
