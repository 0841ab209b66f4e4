// Checks that the worked examples in the specification match the files that they show (spec/README.md,
// "Worked examples"). Each example names a file, states its size, and lists its contents by offset in a
// table.
#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "formats/core/text/parse_number.hpp"
#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

using namespace heapcheck;
using namespace heapcheck::tests::project;

namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view heading = "#### Worked example";
constexpr std::string_view file_marker = "The file is `";
constexpr std::string_view more_follows = "...";
constexpr std::string_view pages_with_examples[] = {
    "spec/chrome/heaps_v2.md", "spec/chrome/legacy.md",  "spec/mvmheap/v1.md",     "spec/mvmheap/v2.md",
    "spec/mvmheap/v3.md",      "spec/v8/heapprofile.md", "spec/v8/heapsnapshot.md"};

/// The notation in a column of a table: bytes in hexadecimal, or text.
enum class Notation : std::uint8_t { hex, text };

/// A row of a table: the bytes at an offset in the file.
struct Row {
  std::string line;
  std::optional<std::uint64_t> offset;  ///< empty if there is no number
  std::optional<std::string> bytes;     ///< empty if the cell is malformed
};

struct Example {
  std::string file;  ///< path below the source folder; empty if none is named
  std::uint64_t byte_count = 0;
  std::vector<Row> rows;
};

std::string_view trim_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The cells of a row of a table; in a cell, `\|` is a vertical bar.
std::vector<std::string> split_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool is_escaped = line.substr(i, 2) == "\\|";
    if (line[i] == '|') {
      cells.emplace_back();
    } else {
      cells.back() += line[is_escaped ? ++i : i];
    }
  }
  for (std::string& cell : cells) cell = trim_blanks(cell);
  return cells;
}

std::optional<std::string> decode_hex(std::string_view text) {
  std::string bytes;
  std::string digits(text);
  std::erase(digits, ' ');
  if (digits.empty() || digits.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

/// The text between the backticks of a cell, without the dots that show that more follows.
std::optional<std::string> decode_cell(std::string_view cell, Notation notation) {
  if (cell.size() < 3 || !cell.starts_with('`') || !cell.ends_with('`')) return std::nullopt;
  std::string_view shown = cell.substr(1, cell.size() - 2);
  if (shown.ends_with(more_follows)) {
    shown.remove_suffix(more_follows.size());
    shown = shown.substr(0, shown.find_last_not_of(' ') + 1);
  }
  if (notation == Notation::hex) return decode_hex(shown);
  return shown.empty() ? std::nullopt : std::optional<std::string>(shown);
}

/// The notation of the rows below a line, if the line is the header of a table that is compared.
std::optional<Notation> find_notation(std::string_view line) {
  if (line == "| Offset | Bytes | Meaning |") return Notation::hex;
  if (line == "| Offset | Text | Meaning |") return Notation::text;
  return std::nullopt;
}

Row parse_row(const std::string& line, Notation notation) {
  const auto cells = split_cells(line);
  if (cells.size() < 3) return {.line = line, .offset = std::nullopt, .bytes = std::nullopt};
  return {.line = line, .offset = core::parse_number(cells[0]), .bytes = decode_cell(cells[1], notation)};
}

bool is_ruler(std::string_view line) { return line.find_first_not_of("|-: ") == std::string_view::npos; }

/// The rows of all tables that are compared.
std::vector<Row> find_rows(std::span<const std::string> lines) {
  std::vector<Row> rows;
  std::optional<Notation> notation;
  for (const std::string& line : lines) {
    if (!line.starts_with('|')) {
      notation.reset();
    } else if (const auto found = find_notation(line)) {
      notation = found;
    } else if (notation && !is_ruler(line)) {
      rows.push_back(parse_row(line, *notation));
    }
  }
  return rows;
}

/// Finds "The file is `corpus/..." (N bytes", which may be broken across lines.
void find_file(std::span<const std::string> lines, Example& example) {
  std::string text;
  for (const std::string& line : lines) text += line + ' ';
  const std::size_t marker = text.find(file_marker);
  if (marker == std::string::npos) return;
  const std::size_t start = marker + file_marker.size();
  const std::size_t end = std::min(text.find('`', start), text.size());
  example.file = text.substr(start, end - start);
  const std::string_view rest = std::string_view(text).substr(end);
  if (!rest.starts_with("` (")) return;
  const std::string_view size = rest.substr(3, rest.find(" bytes") - 3);
  example.byte_count = core::parse_number(size).value_or(0);
}

/// The examples of a page. Each begins at its heading and ends at the next heading.
std::vector<Example> find_examples(const Lines& lines) {
  std::vector<Example> examples;
  const auto is_heading = [](const std::string& line) { return line.starts_with('#'); };
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!line->starts_with(heading)) continue;
    const std::span section(line + 1, std::find_if(line + 1, lines.end(), is_heading));
    Example example{.file = "", .byte_count = 0, .rows = find_rows(section)};
    find_file(section, example);
    examples.push_back(std::move(example));
  }
  return examples;
}

bool is_at(const std::string& content, const Row& row) {
  return *row.offset <= content.size() && content.compare(*row.offset, row.bytes->size(), *row.bytes) == 0;
}

void check_example(const Example& example) {
  INFO(example.file);
  REQUIRE(example.file.starts_with("corpus/"));
  const std::string content = tests::read(tests::root / example.file);
  CHECK(content.size() == example.byte_count);
  CHECK(!example.rows.empty());
  for (const Row& row : example.rows) {
    INFO(row.line);
    const bool is_readable = row.offset && row.bytes;
    CHECK(is_readable);
    if (is_readable) CHECK(is_at(content, row));
  }
}

}  // namespace

TEST_CASE("worked examples agree with their files", "[project][spec]") {
  std::size_t count = 0;
  for (const std::string& page : find_files("spec", ".md")) {
    INFO(page);
    for (const Example& example : find_examples(read_lines(page))) {
      check_example(example);
      ++count;
    }
  }
  CHECK(count >= std::size(pages_with_examples));
}

TEST_CASE("the pages of formats have a worked example", "[project][spec]") {
  for (const std::string_view page : pages_with_examples) {
    INFO(page);
    CHECK(!find_examples(read_lines(std::string(page))).empty());
  }
}

TEST_CASE("examples are read from their heading to the next one", "[project][spec]") {
  const Lines page = {"#### Worked example: the end",
                      "The file is",
                      "`corpus/x` (7 bytes), made by hand.",
                      "| Offset | Bytes | Meaning |",
                      "|---:|---|---|",
                      "| 4 | `00 ff1A ...` | `a` |",
                      "",
                      "| Offset in the content | Bytes | Meaning |",
                      "| 0 | `00` | not compared |",
                      "",
                      "| Offset | Text | Meaning |",
                      "| 2 | `a\\|\"b...` | text |",
                      "## Next",
                      "| Offset | Bytes | Meaning |",
                      "| 0 | `00` | not in the example |"};
  const auto examples = find_examples(page);
  REQUIRE(examples.size() == 1);
  CHECK(examples[0].file == "corpus/x");
  CHECK(examples[0].byte_count == 7);
  REQUIRE(examples[0].rows.size() == 2);
  CHECK(examples[0].rows[0].offset == 4);
  CHECK(examples[0].rows[0].bytes == std::string("\0\xff\x1a", 3));
  CHECK(examples[0].rows[1].bytes == "a|\"b");
}

TEST_CASE("malformed rows of examples are found", "[project][spec]") {
  for (const char* line :
       {"| 0 | 00 | no backticks |", "| 0 | `0` | half a byte |", "| 0 | `0g` | no digit |",
        "| 0 | `...` | nothing |", "| ... | `00` | no offset |", "| 0 |"}) {
    INFO(line);
    const Row row = parse_row(line, Notation::hex);
    CHECK(!(row.offset && row.bytes));
  }
}

TEST_CASE("bytes of examples are compared with those of the file", "[project][spec]") {
  const std::string content = "abc";
  CHECK(is_at(content, parse_row("| 1 | `62` | |", Notation::hex)));
  CHECK(!is_at(content, parse_row("| 1 | `63` | |", Notation::hex)));
  CHECK(!is_at(content, parse_row("| 2 | `6364` | beyond the end |", Notation::hex)));
  CHECK(!is_at(content, parse_row("| 4 | `61` | beyond the end |", Notation::hex)));
}
