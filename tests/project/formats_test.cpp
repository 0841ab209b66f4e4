// Checks that the compiler finds every place that must handle a new format: each switch over formats names
// all of them, and no code depends on the order of their enumerators (CONTRIBUTING.md, "Adding a version of a
// format").
#include <algorithm>
#include <regex>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

using Lines = std::vector<std::string>;

/// The text from the bracket at `open` to the bracket that closes it.
std::string_view block_at(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(open, i + 1 - open);
  }
  return {};
}

bool names_formats(std::string_view block) {
  constexpr std::string_view labels[] = {
      "case Format::", "case heapcheck::Format::", "case Family::", "case heapcheck::Family::"};
  return std::ranges::any_of(
      labels, [block](std::string_view label) { return block.find(label) != std::string_view::npos; });
}

/// The number of switches over formats that have a default.
std::size_t count_defaults(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("switch ("); at != std::string_view::npos;
       at = text.find("switch (", at + 1)) {
    const std::string_view block = block_at(text, std::min(text.find('{', at), text.size()));
    if (names_formats(block) && block.find("default:") != std::string_view::npos) ++count;
  }
  return count;
}

bool depends_on_order(const std::string& line) {
  static const std::regex comparison(
      R"((Format::\w+|\b(format|target)(\(\))?) (<|>|<=|>=|<=>) | (<|>|<=|>=|<=>) (\w+::)*Format::\w)");
  return std::regex_search(line.substr(0, line.find("//")), comparison);
}

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace

TEST_CASE("no switch over formats has a default, and no code depends on the order of formats",
          "[project][formats]") {
  for (const std::string& file : find_code()) {
    if (file == "tests/project/formats_test.cpp") continue;
    INFO(file);
    const Lines lines = read_lines(file);
    CHECK(count_defaults(join(lines)) == 0);
    for (const std::string& line : lines) {
      if (depends_on_order(line)) FAIL_CHECK(line);
    }
  }
}

TEST_CASE("a default in a switch over formats is found", "[project][formats]") {
  CHECK(count_defaults("switch (f) { case Format::a: { break; } default: break; }") == 1);
  CHECK(count_defaults("switch (f) { case Format::a: break; } switch (g) { case b: default: }") == 0);
  CHECK(count_defaults("switch (f.format) {\n  case Family::v8:\n  default:\n}") == 1);
}

TEST_CASE("a comparison that depends on the order of formats is found", "[project][formats]") {
  CHECK(depends_on_order("if (format <= Format::mvmheap_v3) return;"));
  CHECK(depends_on_order("return Format::heaps_v2 < *report.format;"));
  CHECK(depends_on_order("if (dump.format() < other) return;"));
  CHECK(!depends_on_order("if (format == Format::heaps_v2) return;"));
  CHECK(!depends_on_order("std::vector<Format> formats;  // format < other"));
}
