// Checks that files are short enough to be read in one go (CONTRIBUTING.md, "Sizes"). Exceptions, mostly
// tables, are listed here with their reasons.
#include <algorithm>
#include <array>
#include <span>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

struct Size {
  std::string file;
  std::size_t line_count = 0;
  bool is_fuzz_target = false;
};

struct Exemption {
  std::string_view file;
  std::size_t max_size;  // in lines
  std::string_view reason;
};

constexpr std::array<Exemption, 0> exemptions{};

std::size_t max_lines(const Size& size) {
  if (size.is_fuzz_target) return 80;
  return size.file.ends_with(".hpp") ? 150 : 400;
}

const Exemption* find_exemption(std::span<const Exemption> list, std::string_view file) {
  const auto found = std::ranges::find(list, file, &Exemption::file);
  return found == list.end() ? nullptr : &*found;
}

std::vector<std::string> find_too_long(const std::vector<Size>& sizes, std::span<const Exemption> list) {
  std::vector<std::string> found;
  for (const Size& size : sizes) {
    const Exemption* exemption = find_exemption(list, size.file);
    const std::size_t allowed = exemption != nullptr ? exemption->max_size : max_lines(size);
    if (size.line_count <= allowed) continue;
    found.push_back(size.file + " has " + std::to_string(size.line_count) + " lines, expected at most " +
                    std::to_string(allowed));
  }
  return found;
}

/// Exemptions for files that do not exist or no longer need one.
std::vector<std::string> find_stale(const std::vector<Size>& sizes, std::span<const Exemption> list) {
  std::vector<std::string> found;
  for (const Exemption& exemption : list) {
    const auto size = std::ranges::find(sizes, exemption.file, &Size::file);
    if (size == sizes.end() || size->line_count <= max_lines(*size)) found.emplace_back(exemption.file);
  }
  return found;
}

/// The record of a rule is like a row of a table, so it counts as one line regardless of its number of
/// members.
std::size_t count_lines(std::span<const std::string> lines) {
  std::size_t count = 0;
  bool in_record = false;
  for (const std::string& line : lines) {
    if (!in_record) ++count;
    if (line.ends_with("};")) in_record = false;
    if (line.starts_with("inline constexpr Rule ") && line.ends_with("{")) in_record = true;
  }
  return count;
}

std::vector<Size> sizes_of_project() {
  std::vector<Size> sizes;
  for (const std::string& file : find_code()) {
    const auto lines = read_lines(file);
    const bool has_entry_point = std::ranges::any_of(lines, [](const std::string& line) {
      return line.find("LLVMFuzzerTestOneInput") != std::string::npos;
    });
    sizes.push_back({file, count_lines(lines),
                     has_entry_point && is_below(file, "fuzz") && !is_below(file, "fuzz/support")});
  }
  return sizes;
}

using Findings = std::vector<std::string>;

}  // namespace

TEST_CASE("no file exceeds the size for its kind", "[project][size]") {
  const auto sizes = sizes_of_project();
  REQUIRE(sizes.size() > 10);
  CHECK(find_too_long(sizes, exemptions) == Findings{});
  CHECK(find_stale(sizes, exemptions) == Findings{});
}

TEST_CASE("files that exceed their size are found, and no others", "[project][size]") {
  CHECK(find_too_long({{"cli/a.cpp", 400}, {"cli/a.hpp", 150}, {"fuzz/a.cpp", 80, true}}, {}).empty());
  CHECK(find_too_long({{"cli/a.cpp", 401}}, {}).size() == 1);
  CHECK(find_too_long({{"cli/a.hpp", 151}}, {}).size() == 1);
  CHECK(find_too_long({{"fuzz/a.cpp", 81, true}}, {}).size() == 1);
}

TEST_CASE("the record of a rule counts as one line", "[project][size]") {
  const std::string record = "inline constexpr Rule a{";
  CHECK(count_lines(std::vector<std::string>{"", record, "    .id = \"a\",", "};", ""}) == 3);
  CHECK(count_lines(
            std::vector<std::string>{record, "    .id = \"a\",", "    .since = \"0.1\"};", "int i;"}) == 2);
  CHECK(count_lines(std::vector<std::string>{"struct Rule {", "  int a;", "};"}) == 3);
}

TEST_CASE("an exemption raises the allowed size of its file, and is reported when it is no longer needed",
          "[project][size]") {
  constexpr Exemption list[] = {{"cli/table.cpp", 500, "a table"}};
  CHECK(find_too_long({{"cli/table.cpp", 500}}, list).empty());
  CHECK(find_too_long({{"cli/table.cpp", 501}}, list).size() == 1);
  CHECK(find_stale({{"cli/table.cpp", 401}}, list).empty());
  CHECK(find_stale({{"cli/table.cpp", 400}}, list) == Findings{"cli/table.cpp"});
  CHECK(find_stale({}, list) == Findings{"cli/table.cpp"});
}
