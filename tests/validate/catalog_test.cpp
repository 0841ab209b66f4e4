#include "validate/catalog.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck;
namespace fs = std::filesystem;

namespace {

const fs::path root = HEAPCHECK_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  return found;
}

/// The anchors of the headings of a Markdown page.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  const std::regex heading("(^|\n)#+ ([^\n]*)");
  for (auto it = std::sregex_iterator(page.begin(), page.end(), heading); it != std::sregex_iterator();
       ++it) {
    std::string anchor;
    for (const char c : (*it)[2].str()) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-')
        anchor += static_cast<char>(std::tolower(c));
    }
    anchors.insert(anchor);
  }
  return anchors;
}

/// The first group of every match of `pattern` in `text`.
std::set<std::string> find_all(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex regex(pattern);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

struct DeclaredRule {
  fs::path file;
  std::string name;
  std::string id;  ///< empty if the record does not begin with an id
};

/// The rules that a source declares: `Rule NAME{.id = "ID", ...}`.
std::vector<DeclaredRule> find_rules(const fs::path& file) {
  const std::regex record(R"re(\bRule (\w+) ?\{(?:\s*\.id = "([a-z0-9.-]+)")?)re");
  const std::string text = read(file);
  std::vector<DeclaredRule> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), record); it != std::sregex_iterator(); ++it) {
    found.push_back({.file = file, .name = (*it)[1], .id = (*it)[2]});
  }
  return found;
}

std::vector<DeclaredRule> declared_rules() {
  std::vector<DeclaredRule> found;
  for (const char* folder : {"formats", "validate", "convert", "recover"}) {
    for (const fs::path& file : files_below(root / folder, "pp"))
      std::ranges::move(find_rules(file), std::back_inserter(found));
  }
  return found;
}

/// For each case, the rules that it expects to be violated.
std::map<fs::path, std::set<std::string>> rules_by_case() {
  std::map<fs::path, std::set<std::string>> cases;
  for (const fs::path& path : files_below(root / "conformance", ".case")) {
    cases[path] = find_all(read(path), "\nfinding ([a-z0-9.-]+)");
  }
  return cases;
}

/// The productions that are functions according to a page of the specification.
std::set<std::string> specified_productions(const std::string& page) {
  const std::string marker = "Recognised by functions of the same name: ";
  const std::size_t start = page.find(marker);
  if (start == std::string::npos) return {};
  return find_all(page.substr(start, page.find("\n\n", start) - start), "`([a-z0-9_]+)`");
}

/// The functions of a grammar.hpp that recognise a production.
std::set<std::string> declared_productions(const std::string& header) {
  return find_all(header, "\n[A-Za-z:_0-9<> \\[\\]]+ ([a-z_]+)\\((core::)?ByteSpan bytes\\);");
}

}  // namespace

TEST_CASE("rules are sorted by id and no id occurs twice", "[catalog]") {
  const auto rules = validation::all_rules();
  const std::regex id("[a-z0-9]+(\\.[a-z0-9]+(-[a-z0-9]+)*)+");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    INFO(rules[i]->id);
    CHECK(std::regex_match(std::string(rules[i]->id), id));
    if (i != 0) CHECK(rules[i - 1]->id < rules[i]->id);
    CHECK(validation::find_rule(rules[i]->id) == rules[i]);
    CHECK(!rules[i]->title.empty());
    CHECK(!rules[i]->reason.empty());
    CHECK(!rules[i]->example.empty());
    CHECK(!rules[i]->advice.empty());
  }
  CHECK(validation::find_rule("mvm3.toc") == nullptr);
}

TEST_CASE("every declared rule is in the catalogue, and no id occurs twice", "[catalog]") {
  const auto rules = declared_rules();
  REQUIRE(!rules.empty());
  std::set<std::string> ids;
  for (const DeclaredRule& rule : rules) {
    INFO(rule.file << ": " << rule.name << " " << rule.id);
    CHECK(validation::find_rule(rule.id) != nullptr);
    CHECK(ids.insert(rule.id).second);
  }
  CHECK(ids.size() == validation::all_rules().size());
}

TEST_CASE("every rule links to a paragraph of the specification that names it", "[catalog]") {
  for (const Rule* rule : validation::all_rules()) {
    INFO(rule->id << " -> " << rule->anchor);
    const std::string anchor(rule->anchor);
    const std::size_t hash = anchor.find('#');
    REQUIRE(hash != std::string::npos);
    const std::string page = read(root / "spec" / anchor.substr(0, hash));
    CHECK(anchors_of(page).contains(anchor.substr(hash + 1)));
    CHECK(page.find("`" + std::string(rule->id) + "`") != std::string::npos);
  }
}

TEST_CASE("every rule has a case that raises it and a near miss that does not", "[catalog]") {
  const auto cases = rules_by_case();
  REQUIRE(!cases.empty());
  for (const Rule* rule : validation::all_rules()) {
    INFO(rule->id);
    const std::string id(rule->id);
    // These depend on the clock or take too much input; see tests/cli/limits_test.cpp.
    if (id == "limit.time" || id == "limit.search-bytes") continue;
    // These concern files rather than content; see tests/cli/files_test.cpp and tests/cli/limits_test.cpp.
    if (id.starts_with("input.un") || id == "limit.unrecognised") continue;
    CHECK(std::ranges::any_of(cases, [&](const auto& entry) {
      const fs::path near = fs::path(entry.first).replace_extension().string() + "-near.case";
      return entry.second.contains(id) && cases.contains(near) && !cases.at(near).contains(id);
    }));
  }
}

TEST_CASE("the page of a format describes its grammar, the quirks of writers, and the behaviour of readers",
          "[catalog]") {
  const std::string page =
      GENERATE("mvmheap/v1.md", "mvmheap/v2.md", "mvmheap/v3.md", "chrome/trace.md", "chrome/legacy.md",
               "chrome/heaps_v2.md", "v8/heapprofile.md", "v8/heapsnapshot.md");
  INFO(page);
  const auto anchors = anchors_of(read(root / "spec" / page));
  for (const char* part : {"grammar", "quirks", "readers"}) CHECK(anchors.contains(part));
}

TEST_CASE("every case has a title and a reason, and names an existing paragraph", "[catalog]") {
  const std::regex head("title: [^\n]+\nwhy: [^\n]+\nspec: ([a-z0-9_/]+\\.md)#([a-z0-9-]+)\n");
  for (const fs::path& path : files_below(root / "conformance", ".case")) {
    INFO(path);
    const std::string text = read(path);
    std::smatch match;
    REQUIRE(std::regex_search(text, match, head));
    CHECK(anchors_of(read(root / "spec" / match[1].str())).contains(match[2]));
  }
}

TEST_CASE("the grammars in the specification and in the code have the same productions", "[catalog]") {
  std::set<std::string> pages;
  for (const fs::path& header : files_below(root / "formats", "grammar.hpp")) {
    const std::string slug = header.parent_path().lexically_relative(root / "formats").generic_string();
    const std::string page = slug == "core/json" ? "json.md" : slug + ".md";
    INFO(page);
    const std::string text = read(root / "spec" / page);
    const auto specified = specified_productions(text);
    CHECK(!specified.empty());
    CHECK(specified == declared_productions(read(header)));
    for (const std::string& name : specified) CHECK(std::regex_search(text, std::regex("\n" + name + " +=")));
    pages.insert(page);
  }
  for (const fs::path& path : files_below(root / "spec", ".md")) {
    const std::string page = path.lexically_relative(root / "spec").generic_string();
    INFO(page);
    CHECK((specified_productions(read(path)).empty() || pages.contains(page)));
  }
}
