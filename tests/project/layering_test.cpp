// Checks that includes point in one direction (CONTRIBUTING.md, "Direction of includes"). Each rule is a
// function of an include line, so that the tests can also try it on lines that violate it.
#include <algorithm>
#include <ranges>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

using Rule = bool (*)(const Include&);

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(path, '/')) parts.emplace_back(part.begin(), part.end());
  return parts;
}

bool is_below_any(std::string_view path, std::initializer_list<std::string_view> folders) {
  return std::ranges::any_of(folders, [path](std::string_view folder) { return is_below(path, folder); });
}

bool is_code(std::string_view path) {
  return std::ranges::any_of(code_folders,
                             [path](std::string_view folder) { return is_below(path, folder); });
}

/// The folder of a path: `tests/project` for `tests/project/size_test.cpp`.
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

/// An include in quotes is the path of one of our files relative to the source folder.
bool names_full_path(const Include& include) { return !include.quoted || is_code(include.target); }

/// The folders that a layer may include, in addition to itself and the vocabulary. spec: CONTRIBUTING.md,
/// "Direction of includes"
struct Layer {
  std::string_view folder;
  std::initializer_list<std::string_view> below;
};

/// Every layer may include the vocabulary, which only includes itself.
constexpr std::string_view vocabulary = "include/heapcheck/types";

/// A file belongs to the first of these folders that contains it.
const Layer layers[] = {
    {vocabulary, {}},
    {"include/heapcheck", {}},
    {"formats", {}},
    {"graph", {"formats"}},
    {"validate/report", {"validate", "formats"}},
    {"validate", {"graph", "formats"}},
    {"convert", {"graph", "formats"}},
    {"recover", {"convert", "validate", "graph", "formats"}},
    {"allocations", {"convert", "formats"}},
    {"analyze/summary", {"graph", "formats"}},
    {"analyze", {"graph", "formats/core"}},
    {"export", {"analyze", "graph", "formats"}},
    {"api",
     {"include/heapcheck", "export", "analyze", "recover", "allocations", "convert", "validate", "graph",
      "formats"}},
    {"cli/mcp", {"cli", "include/heapcheck", "formats/core"}},
    {"cli", {"include/heapcheck", "formats/core/text", "formats/core/output"}},
    {"conformance", {"include/heapcheck", "validate", "formats"}},
    {"examples", {"include/heapcheck"}},
    {"bindings", {"include/heapcheck", "api", "formats/core"}},
};

/// The layers that make up the library, which tests, fuzz targets and benchmarks may include.
bool is_library(std::string_view path) {
  return std::ranges::any_of(layers, [path](const Layer& layer) {
    return layer.folder != "cli" && layer.folder != "conformance" && layer.folder != "bindings" &&
           is_below(path, layer.folder);
  });
}

/// Each layer only includes the layers on which it is built. No layer includes fuzz, tests, bench or
/// conformance. Each of these may include its own support and neighbours, and tests may include the
/// conformance runner. Configuration files and the requests of agents are the only inputs of the program
/// itself, so targets read them.
bool follows_layers(const Include& include) {
  const auto& [file, target, quoted] = include;
  if (!is_code(target) || is_below(target, vocabulary)) return true;
  const auto layer = std::ranges::find_if(
      layers, [&file](const Layer& candidate) { return is_below(file, candidate.folder); });
  if (layer != std::end(layers)) {
    if (layer->folder == "validate" && is_below(target, "validate/report")) return false;
    return is_below(target, layer->folder) || is_below_any(target, layer->below);
  }
  if (is_library(target)) return true;
  if (is_below(file, "tests")) {
    return is_below_any(target, {"cli", "conformance", "tests/support", folder_of(file)});
  }
  if (is_below(file, "fuzz") && is_below_any(target, {"cli/config", "cli/mcp"})) return true;
  return is_below_any(target, {path_parts(file)[0] + "/support", folder_of(file)});
}

/// Below formats/: core includes only itself, families include only themselves and core, the shared code of a
/// family includes none of its versions, and no version includes another. The files at the top may include
/// all of them, and no file in a folder below them includes these files.
bool keeps_formats_apart(const Include& include) {
  if (!is_below(include.file, "formats") || !is_below(include.target, "formats")) return true;
  const auto from = path_parts(include.file);
  const auto to = path_parts(include.target);
  if (from.size() == 2) return true;
  if (to.size() == 2) return false;
  if (from[1] == "core" || to[1] == "core") return to[1] == "core";
  if (from[1] != to[1]) return false;
  return to.size() == 3 || (from.size() > 3 && from[2] == to[2]);
}

/// X3 takes seconds to compile, so only grammars and a single header for X3 include it.
bool keeps_x3_in_grammars(const Include& include) {
  const bool is_x3 =
      include.target == "formats/core/text/x3.hpp" || include.target.starts_with("boost/spirit");
  return !is_x3 || file_name(include.file) == "grammar.cpp" || include.file == "formats/core/text/x3.hpp";
}

/// Public headers do not need any of the libraries with which heapcheck is built.
bool keeps_headers_clean(const Include& include) {
  if (!include.file.ends_with(".hpp") || include.file == "formats/core/text/x3.hpp") return true;
  if (is_below_any(include.file, {"cli", "conformance", "fuzz", "tests", "bench"})) return true;
  const std::string_view target = include.target;
  return !target.starts_with("zstd") && !target.starts_with("fmt/") && !target.starts_with("boost/");
}

/// The bytes of a case must not depend on the installed version of a compressor.
bool makes_cases_without_compressor(const Include& include) {
  const std::string_view target = include.target;
  return !is_below(include.file, "conformance") ||
         !(target.starts_with("zstd") || target.starts_with("zlib"));
}

/// The computations in analyze/ do not depend on the answers that show their results.
bool keeps_answers_on_top(const Include& include) {
  return !is_below(include.file, "analyze") || is_below(include.file, "analyze/answers") ||
         !is_below(include.target, "analyze/answers");
}

std::vector<std::string> find_violations(Rule rule, const std::vector<Include>& includes) {
  std::vector<std::string> found;
  for (const Include& include : includes) {
    if (!rule(include)) found.push_back(include.file + " includes " + include.target);
  }
  return found;
}

std::vector<Include> includes_of_project() {
  std::vector<Include> all;
  for (const std::string& file : find_code()) {
    for (auto& include : find_includes(file, read_lines(file))) all.push_back(std::move(include));
  }
  return all;
}

using Violations = std::vector<std::string>;

}  // namespace

TEST_CASE("all includes follow the layering rules", "[project][layering]") {
  const auto includes = includes_of_project();
  REQUIRE(includes.size() > 20);  // otherwise the tree was not found
  CHECK(find_violations(names_full_path, includes) == Violations{});
  CHECK(find_violations(follows_layers, includes) == Violations{});
  CHECK(find_violations(keeps_formats_apart, includes) == Violations{});
  CHECK(find_violations(keeps_x3_in_grammars, includes) == Violations{});
  CHECK(find_violations(keeps_headers_clean, includes) == Violations{});
  CHECK(find_violations(makes_cases_without_compressor, includes) == Violations{});
  CHECK(find_violations(keeps_answers_on_top, includes) == Violations{});
}

TEST_CASE("an include of an answer by a computation is found", "[project][layering]") {
  CHECK(!keeps_answers_on_top({"analyze/way.cpp", "analyze/answers/write.hpp"}));
  CHECK(keeps_answers_on_top({"analyze/answers/top.cpp", "analyze/answers/write.hpp"}));
  CHECK(keeps_answers_on_top({"export/page/page.cpp", "analyze/answers/write.hpp"}));
}

TEST_CASE("include lines are found however they are spaced", "[project][layering]") {
  const auto found = find_includes("cli/a.cpp", {R"(#include "cli/b.hpp")", "  #  include <fmt/core.h>  // x",
                                                 R"(// #include "tests/c.hpp")", "#include MACRO", ""});
  REQUIRE(found.size() == 2);
  CHECK(found[0].target == "cli/b.hpp");
  CHECK(found[0].quoted);
  CHECK(found[1].target == "fmt/core.h");
  CHECK(!found[1].quoted);
}

TEST_CASE("a quoted include without its full path is found", "[project][layering]") {
  CHECK(!names_full_path({"formats/core/a.cpp", "window.hpp"}));
  CHECK(!names_full_path({"formats/core/a.cpp", "../mvmheap/model.hpp"}));
  CHECK(names_full_path({"formats/core/a.cpp", "formats/core/window.hpp"}));
  CHECK(names_full_path({"formats/core/a.cpp", "vector", false}));
}

TEST_CASE("an include that violates the layers is found", "[project][layering]") {
  const auto [file, target] = GENERATE(table<std::string, std::string>({
      {"formats/core/a.cpp", "validate/validate.hpp"},
      {"formats/mvmheap/v3/reader.cpp", "analyze/dominators.hpp"},
      {"formats/detect.cpp", "cli/options.hpp"},
      {"validate/catalog.cpp", "validate/report/reporters.hpp"},
      {"validate/catalog.cpp", "cli/options.hpp"},
      {"validate/catalog.cpp", "include/heapcheck/validate.hpp"},
      {"validate/catalog.cpp", "recover/mvmheap/recover.hpp"},
      {"convert/mvmheap/convert.cpp", "validate/validate.hpp"},
      {"formats/core/a.cpp", "graph/build.hpp"},
      {"include/heapcheck/types/finding.hpp", "formats/core/bytes.hpp"},
      {"include/heapcheck/types/finding.hpp", "include/heapcheck/dump.hpp"},
      {"include/heapcheck/dump.hpp", "formats/core/source.hpp"},
      {"export/form.cpp", "include/heapcheck/dump.hpp"},
      {"analyze/top.cpp", "recover/mvmheap/recover.hpp"},
      {"cli/info.cpp", "formats/core/source.hpp"},
      {"cli/info.cpp", "api/state.hpp"},
      {"analyze/top.cpp", "formats/mvmheap/model.hpp"},
      {"cli/validate.cpp", "validate/validate.hpp"},
      {"validate/report/json.cpp", "analyze/top.hpp"},
      {"analyze/top.cpp", "validate/verdict.hpp"},
      {"cli/main.cpp", "tests/support/catch.hpp"},
      {"cli/main.cpp", "conformance/recipe/recipe.hpp"},
      {"conformance/runner.cpp", "tests/support/catch.hpp"},
      {"tests/a_test.cpp", "fuzz/support/mutator.hpp"},
      {"tests/validate/a_test.cpp", "tests/project/source_tree.hpp"},
      {"fuzz/a.cpp", "tests/support/catch.hpp"},
      {"fuzz/a.cpp", "cli/options.hpp"},
      {"bench/a.cpp", "fuzz/support/mutator.hpp"},
  }));
  CHECK(!follows_layers({file, target}));
}

TEST_CASE("an include that conforms to the layers is accepted", "[project][layering]") {
  const auto [file, target] = GENERATE(table<std::string, std::string>({
      {"formats/mvmheap/v3/reader.cpp", "formats/core/window.hpp"},
      {"validate/report/text.cpp", "validate/verdict.hpp"},
      {"validate/mvmheap/v3/toc.cpp", "formats/mvmheap/v3/container.hpp"},
      {"cli/validate.cpp", "include/heapcheck/validate.hpp"},
      {"formats/core/a.cpp", "include/heapcheck/types/finding.hpp"},
      {"include/heapcheck/dump.hpp", "include/heapcheck/types/finding.hpp"},
      {"cli/info.cpp", "formats/core/text/excerpt.hpp"},
      {"validate/mvmheap/reference_rules.cpp", "graph/reach.hpp"},
      {"recover/mvmheap/recover.cpp", "convert/mvmheap/convert.hpp"},
      {"api/dump.cpp", "analyze/summary/summary.hpp"},
      {"conformance/runner.cpp", "conformance/recipe/grammar.hpp"},
      {"tests/formats/core/window_test.cpp", "formats/core/window.hpp"},
      {"tests/project/size_test.cpp", "tests/project/source_tree.hpp"},
      {"tests/conformance/recipe_test.cpp", "conformance/recipe/grammar.hpp"},
      {"fuzz/mvmheap/v3/fuzz_read.cpp", "fuzz/support/replay.hpp"},
      {"cli/main.cpp", "CLI/CLI.hpp"},
  }));
  CHECK(follows_layers({file, target}));
}

TEST_CASE("formats that include too much of each other are found", "[project][layering]") {
  CHECK(!keeps_formats_apart({"formats/core/a.cpp", "formats/mvmheap/model.hpp"}));
  CHECK(!keeps_formats_apart({"formats/mvmheap/v3/reader.cpp", "formats/mvmheap/v2/layout.hpp"}));
  CHECK(!keeps_formats_apart({"formats/chrome/legacy/reader.cpp", "formats/chrome/heaps_v2/reader.hpp"}));
  CHECK(!keeps_formats_apart({"formats/mvmheap/model.cpp", "formats/mvmheap/v3/layout.hpp"}));
  CHECK(!keeps_formats_apart({"formats/chrome/walker.cpp", "formats/v8/graph.hpp"}));
  CHECK(!keeps_formats_apart({"formats/mvmheap/v3/reader.cpp", "formats/detect.hpp"}));
  CHECK(keeps_formats_apart({"formats/detect.cpp", "formats/mvmheap/v3/reader.hpp"}));
  CHECK(keeps_formats_apart({"formats/mvmheap/v3/reader.cpp", "formats/mvmheap/model.hpp"}));
  CHECK(keeps_formats_apart({"formats/mvmheap/v3/reader.cpp", "formats/mvmheap/v3/layout.hpp"}));
  CHECK(keeps_formats_apart({"formats/core/json/reader.cpp", "formats/core/window.hpp"}));
}

TEST_CASE("X3 outside a grammar is found", "[project][layering]") {
  CHECK(!keeps_x3_in_grammars({"formats/mvmheap/v3/reader.cpp", "formats/core/text/x3.hpp"}));
  CHECK(!keeps_x3_in_grammars({"formats/mvmheap/v3/grammar.hpp", "formats/core/text/x3.hpp"}));
  CHECK(!keeps_x3_in_grammars({"tests/a_test.cpp", "boost/spirit/home/x3.hpp", false}));
  CHECK(keeps_x3_in_grammars({"formats/mvmheap/v3/grammar.cpp", "formats/core/text/x3.hpp"}));
  CHECK(keeps_x3_in_grammars({"formats/core/text/x3.hpp", "boost/spirit/home/x3.hpp", false}));
}

TEST_CASE("a public header that includes a library is found", "[project][layering]") {
  CHECK(!keeps_headers_clean({"formats/core/zstd_frame.hpp", "zstd.h", false}));
  CHECK(!keeps_headers_clean({"validate/verdict.hpp", "fmt/format.h", false}));
  CHECK(!keeps_headers_clean({"analyze/top.hpp", "boost/container/small_vector.hpp", false}));
  CHECK(keeps_headers_clean({"formats/core/zstd_frame.cpp", "zstd.h", false}));
  CHECK(keeps_headers_clean({"cli/table.hpp", "fmt/format.h", false}));
}

TEST_CASE("a case that needs a compressor is found", "[project][layering]") {
  CHECK(!makes_cases_without_compressor({"conformance/recipe/wrap.cpp", "zstd.h", false}));
  CHECK(!makes_cases_without_compressor({"conformance/recipe/wrap.cpp", "zlib.h", false}));
  CHECK(makes_cases_without_compressor({"conformance/recipe/wrap.cpp", "formats/core/codec.hpp"}));
  CHECK(makes_cases_without_compressor({"formats/core/zstd_frame.cpp", "zstd.h", false}));
}
