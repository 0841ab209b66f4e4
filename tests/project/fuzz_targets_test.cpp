// Checks that the table of fuzz targets in fuzz/README.md matches the sources: it has a row for each target,
// in order, with the property from the top of the source.
#include <algorithm>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

using Lines = std::vector<std::string>;

bool is_target(const std::string& file, const Lines& lines) {
  return !is_below(file, "fuzz/support") && std::ranges::any_of(lines, [](const std::string& line) {
    return line.find("LLVMFuzzerTestOneInput") != std::string::npos;
  });
}

/// The text after "// Property: ", up to the full stop that ends the first sentence.
std::string find_property(const Lines& lines) {
  constexpr std::string_view comment = "// ";
  constexpr std::string_view head = "Property: ";
  std::string text;
  for (const std::string& line : lines) {
    if (!line.starts_with(comment)) break;
    text += (text.empty() ? "" : " ") + line.substr(comment.size());
  }
  if (!text.starts_with(head)) return {};
  text.erase(0, head.size());
  const std::size_t next = text.find(". ");
  if (next != std::string::npos) return text.substr(0, next);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

/// `| slug | name | property |` of fuzz/<slug>/<name>.cpp.
std::string make_row(const std::string& file, const Lines& lines) {
  const std::string_view name = file_name(file);
  const std::string path = file.substr(std::string_view("fuzz/").size());
  const std::string slug = path.substr(0, path.size() - name.size() - 1);
  const std::string_view stem = name.substr(0, name.size() - std::string_view(".cpp").size());
  return "| `" + slug + "` | " + std::string(stem) + " | " + find_property(lines) + " |";
}

/// The rows of the table whose first line is `head`.
Lines find_rows(const Lines& lines, std::string_view head) {
  auto row = std::ranges::find(lines, head);
  Lines rows;
  for (; row != lines.end() && row->starts_with('|'); ++row) rows.push_back(*row);
  rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rows)));
  return rows;
}

Lines make_rows() {
  Lines rows;
  for (const std::string& file : find_files("fuzz", ".cpp")) {
    const Lines lines = read_lines(file);
    if (is_target(file, lines)) rows.push_back(make_row(file, lines));
  }
  return rows;
}

}  // namespace

TEST_CASE("the table of fuzz targets has one row for each target and no others", "[project][fuzz]") {
  const Lines rows = make_rows();
  REQUIRE(rows.size() > 10);
  CHECK(find_rows(read_lines("fuzz/README.md"), "| slug | name | property |") == rows);
}

TEST_CASE("a row has the first sentence of the property", "[project][fuzz]") {
  CHECK(make_row("fuzz/a/b/c.cpp", {"// Property: what is read", "// is kept. The last byte steers.",
                                    "int i;"}) == "| `a/b` | c | what is read is kept |");
  CHECK(find_property({"// Property: all is well (a.hpp)."}) == "all is well (a.hpp)");
  CHECK(find_property({"// Reads.", "// Property: none."}).empty());
}

TEST_CASE("the rows of a table are the lines below its head", "[project][fuzz]") {
  CHECK(find_rows({"| a |", "|---|", "| x |", "", "| b |", "|---|", "| y |", "| z |", "end"}, "| b |") ==
        Lines{"| y |", "| z |"});
  CHECK(find_rows({"| a |", "|---|"}, "| b |").empty());
}
