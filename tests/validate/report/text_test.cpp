#include "heapcheck/validate.hpp"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;

namespace {

constexpr Rule error_rule{.id = "test.some.error",
                          .severity = Severity::error,
                          .stage = Stage::check,
                          .title = "",
                          .reason = "",
                          .anchor = "",
                          .since = ""};
constexpr Rule warning_rule{.id = "test.a.warning",
                            .severity = Severity::warning,
                            .stage = Stage::check,
                            .title = "",
                            .reason = "",
                            .anchor = "",
                            .since = ""};
constexpr Rule note_rule{.id = "test.a.note",
                         .severity = Severity::note,
                         .stage = Stage::check,
                         .title = "",
                         .reason = "",
                         .anchor = "",
                         .since = ""};

Finding make_finding(const Rule& rule, std::uint64_t offset, std::string path, std::string message) {
  return {&rule, {{offset, 1}, std::nullopt, std::move(path)}, std::move(message)};
}

std::vector<std::string> lines_of(std::string_view name, const Report& report) {
  std::string text;
  text = make_text({name, &report});
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Report make_report(std::vector<Finding> findings) {
  Report report;
  report.format = Format::mvmheap_v3;
  report.findings = std::move(findings);
  return report;
}

/// The messages, each of which is one letter, in the order in which they are shown.
std::string order_of(std::vector<Finding> findings) {
  std::string order;
  for (const std::string& line : lines_of("dump", make_report(std::move(findings)))) {
    if (line.ends_with(']')) order += line.substr(line.find(" [") - 1, 1);
  }
  return order;
}

}  // namespace

TEST_CASE("no line of a text report has 200 columns or more, unless a file's name is long",
          "[report][text]") {
  const std::string text(5000, 'x');
  Finding finding = make_finding(error_rule, UINT64_MAX, "/" + text, text);
  finding.location.content = Span{UINT64_MAX, 1};
  finding.related = {{finding.location, text}, {{{0, 1}, Span{UINT64_MAX, 1}, ""}, text}};
  Report report = make_report({finding});
  report.more = {{&error_rule, 12345678}};
  report.skipped = {{"/" + text, text}, {"", text}, {"/" + text, ""}};
  for (const std::string& line : lines_of(std::string(100, 'n'), report)) {
    INFO(line);
    CHECK(line.size() < 200);
  }
  Report unreadable;
  unreadable.error = text;
  for (const std::string& line : lines_of(std::string(100, 'n'), unreadable)) CHECK(line.size() < 200);
}

TEST_CASE("parts that were not checked for the same reason share a line of a text report", "[report][text]") {
  Report report = make_report({make_finding(error_rule, 16, "", "broken")});
  for (const char* part : {"0", "1", "12"})
    report.skipped.push_back({std::string("/snapshots/") + part + "/references", "a table is lost"});
  report.skipped.push_back({"/snapshots/1/references", "others are lost"});
  report.skipped.push_back({"/tocs", "a table is lost"});
  std::vector<std::string> lines = lines_of("dump", report);
  std::erase_if(lines, [](const std::string& line) { return !line.contains("not checked"); });
  CHECK(lines == std::vector<std::string>{
                     "    not checked: /snapshots/0/references and 2 more like it, a table is lost",
                     "    not checked: /snapshots/1/references, others are lost",
                     "    not checked: /tocs, a table is lost"});
}

TEST_CASE("nothing in a text report is left out", "[report][text]") {
  // Numbered words, so that a missing one is noticed.
  std::string text = "1";
  for (int i = 2; i < 2000; ++i) text += " " + std::to_string(i);
  Finding finding = make_finding(error_rule, 16, "/path " + text, "message " + text);
  finding.related = {{{{0, 1}, std::nullopt, "/place " + text}, "related " + text}};
  Report report = make_report({finding});
  report.skipped = {{"/skipped " + text, "reason " + text}};
  Report unreadable;
  unreadable.error = "error " + text;
  std::string whole;
  for (const Report* one : {&report, &unreadable}) {
    for (const std::string& line : lines_of("name", *one))
      whole += line.substr(line.find_first_not_of(' ')) + " ";
  }
  for (const char* word : {"/path ", "message ", "/place ", "related ", "/skipped ", "reason ", "error "})
    CHECK(whole.contains(word + text));
}

TEST_CASE("a long message goes on in the next line and is complete", "[report][text]") {
  const std::string name = "a/folder/with/quite/a/long/name/" + std::string(60, 'n') + ".mvmheap";
  const std::string message = "found " + std::string(60, 'm') + ", expected " + std::string(60, 'e');
  const auto lines = lines_of(name, make_report({make_finding(error_rule, 16, "/filemeta", message)}));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == name + ":0x10: error: found " + std::string(60, 'm') + ",");
  CHECK(lines[1] == "        expected " + std::string(60, 'e') + " [test.some.error]");
  CHECK(lines[2] == "    at /filemeta");
}

TEST_CASE("a message of exactly one line is not wrapped", "[report][text]") {
  const std::string start = "dump:0x10: error: ";
  const std::string end = " [test.some.error]";
  const std::string fits(199 - start.size() - end.size(), 'm');
  const auto one = lines_of("dump", make_report({make_finding(error_rule, 16, "", fits)}));
  CHECK(one.at(0) == start + fits + end);
  const auto two = lines_of("dump", make_report({make_finding(error_rule, 16, "", fits + "m")}));
  CHECK(two.at(0) == start + fits);
  CHECK(two.at(1) == "        m" + end);
}

TEST_CASE("the name of a file is complete and in one line", "[report][text]") {
  const std::string name = "/home/" + std::string(300, 'x') + "/" + std::string(60, 'n') + ".mvmheap";
  const auto lines = lines_of(name, make_report({make_finding(error_rule, 16, "/a", "found 1, expected 2")}));
  CHECK(lines.at(0) == name + ":0x10: error:");
  CHECK(lines.at(1) == "        found 1, expected 2 [test.some.error]");
  CHECK(lines.back().starts_with(name + ": mvmheap-v3, "));
  Report unreadable;
  unreadable.error = "is empty, expected a heap dump";
  CHECK(lines_of(name, unreadable).at(0) == name + ": error:");
  CHECK(lines_of(name, unreadable).at(1) == "        is empty, expected a heap dump [input.unreadable]");
}

TEST_CASE("among findings at the same place, errors come before warnings and notes", "[report][text]") {
  const Finding note = make_finding(note_rule, 8, "/a", "n");
  const Finding warning = make_finding(warning_rule, 8, "/a", "w");
  const Finding error = make_finding(error_rule, 8, "/a", "e");
  CHECK(order_of({note, warning, error}) == "ewn");
  // Findings at other places keep their order, regardless of their severity.
  CHECK(order_of({note, make_finding(note_rule, 8, "/b", "o"), error}) == "eon");
  CHECK(order_of({make_finding(note_rule, 4, "/a", "o"), note, warning,
                  make_finding(error_rule, 9, "/a", "f")}) == "ownf");
}
