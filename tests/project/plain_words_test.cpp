// Checks that messages, comments and pages use plain words (CONTRIBUTING.md, "Language"). This test contains
// the list of phrases that made readers stumble; none of them may come back.
#include <algorithm>
#include <cctype>
#include <regex>

#include "tests/project/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::tests::project;

namespace {

/// A phrase that must not be used. The pattern is tried only on lines that contain the keyword.
struct Phrase {
  std::string_view keyword;
  const char* pattern;  // for the line in lower case
  std::string_view instead;
};

constexpr Phrase phrases[] = {
    {"required", R"(\brequired (is|are)\b)", "found X, expected Y"},
    {" is no ",
     R"((^|\W)(?!there\b)\w+ is no (array|dump|file|integer|json|limit|list|name|number|object|size|string|text|trace)\b)",
     "is not a, is not JSON"},
    {"is none", R"((^|\W)(?!(or|there)\b)\w+ is none\b(?! (of|left)\b))", "is not one"},
    {"behind", R"((^|[^-_/.\w])behind($|[^-_/.\w]|\.($|\W)))", "after, following, past"},
    {"stand", R"((^|[^-_/.\w])stands?\b(?![-_/])(?! (alone|for|out)\b))", "is at, is in, comes, begins"},
    {"stood", R"((^|[^-_/.\w])stood\b(?![-_/])(?! (for|out)\b))", "was at, was in, came"},
    {"of which", R"(\bof which (no|none)\b)", "none of which"},
    {"mend", R"(\bmend(s|ed|ing)?\b)", "repair"},
    {"slip", R"(\b(slips|slipped)\b)", "misaligned rows"},
    {" over", R"(\b(passed|stepped|steps) over\b)", "skip"},
    {"told ", R"(\btold (by|from)\b)", "recognised by, distinguished from"},
    {"nobody", R"(\bnobody (knows|can tell)\b)", "is unknown, cannot be determined"},
    {" not hold", R"(\brules? (that )?(do|does) not hold\b)", "violates a rule"},
    {"\"input ends", R"("input ends)", "unexpected end of input"},
    {"what is whole", R"(\bwhat is whole\b)", "the intact parts"},
    {"by halves", R"(\bby halves\b)", "by binary search"},
    {"take",
     R"(\btakes? (very )?(long(\W*$|[^-\w\s]| (to|for|and|but|if|because|when|on|in|with)\b)|much\b(?! (longer|more|less)\b)))",
     "takes a long time, a lot of"},
    {", also ", R"(, also (if|those)\b)", "even if, including"},
    {"other ", R"(\b(an)?other (?!(more|less|rather|better|earlier|later)\b)\w+ than\b)",
     "an X other than, a different X from"},
    {"count", R"(\bcounts? along\b)", "is included"},
    {"must hold", R"(\bwhat must hold\b)", "the requirement"},
    {"half of", R"(\bhalf of the time\b)", "half the time"},
    {"has ", R"(\bhas \d+ (bytes|kb|mb|gb)\b)", "is 3 MB, takes up 3 MB"},
    {"fit", R"(\bthat fits? (a|the) (description|pattern|query)\b)", "that matches"},
    {"tells ", R"(\btells how many\b)", "states how many"},
    {"hold everything", R"(\bcannot hold everything\b)", "cannot represent everything"},
    {"a magic", R"(\ba magic\b(?! (number|string|value)))", "a magic number"},
    {" times", R"(\bexists? (several|many|two) times\b)", "occur more than once"},
    {"damaged for", R"(\bdamaged for an?\b)", "too damaged to give an answer"},
    {"whatever else", R"(\bwhatever else [a-z ]*\bdoes\b)", "whatever else it is doing"},
    {"what ", R"(\bwhat\b(?!( [\w'-]+)* (and|or) what\b)( [\w'-]+)+ what\b)", "two sentences, or a noun"},
};

std::string to_lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const std::regex& compiled(const Phrase& phrase) {
  static const std::vector<std::regex> all = [] {
    std::vector<std::regex> made;
    for (const Phrase& each : phrases) made.emplace_back(each.pattern);
    return made;
  }();
  return all[static_cast<std::size_t>(&phrase - std::begin(phrases))];
}

/// The string literals and the comment of a line of C++.
std::string find_text_in_code(std::string_view line) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!in_string && line.substr(i).starts_with("//")) return text.append(line.substr(i));
    if (line.substr(i).starts_with("'\"'")) {
      i += 2;
      continue;
    }
    if (in_string && line[i] == '\\') {
      text += line[i++];
    } else if (line[i] == '"') {
      in_string = !in_string;
    }
    if (i < line.size() && (in_string || line[i] == '"')) text += line[i];
  }
  return text;
}

/// Idioms that contain one of the phrases but are good English, and Python's `is None`.
constexpr std::string_view accepted[] = {"nothing behind", "left behind", "leave behind", "leaves behind",
                                         "is None"};

std::string without_accepted(std::string line) {
  for (const std::string_view idiom : accepted) {
    for (std::size_t at = line.find(idiom); at != std::string::npos; at = line.find(idiom))
      line.replace(at, idiom.size(), "...");
  }
  return line;
}

/// The first phrase in the text; null if there is none.
const Phrase* find_phrase(const std::string& line) {
  const std::string text = to_lower(without_accepted(line));
  const auto found = std::ranges::find_if(phrases, [&text](const Phrase& phrase) {
    return text.find(phrase.keyword) != std::string::npos && std::regex_search(text, compiled(phrase));
  });
  return found == std::end(phrases) ? nullptr : found;
}

/// Returns whether the file is written and read by humans, unlike heap dumps and inputs from fuzzing.
bool is_prose(std::string_view path) {
  constexpr std::string_view endings[] = {".cpp", ".hpp", ".md", ".sh",   ".py",  ".js", ".cmake",
                                          ".txt", ".tsv", ".in", ".case", ".yml", ".1"};
  constexpr std::string_view corpus = "corpus/";
  const std::string_view name = file_name(path);
  if (path == "tests/project/plain_words_test.cpp") return false;
  if (path.starts_with(corpus) && path.find('/', corpus.size()) != std::string_view::npos) return false;
  return name.find('.') == std::string_view::npos ||
         std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

TEST_CASE("messages, comments and pages are free of the phrases that made readers stumble",
          "[project][words]") {
  auto files = find_files("", "");
  files.emplace_back(".ci/run");
  std::erase_if(files, [](const std::string& file) { return !is_prose(file); });
  REQUIRE(files.size() > 500);  // otherwise the tree was not found
  for (const std::string& file : files) {
    const auto lines = read_lines(file);
    const bool is_code = file.ends_with(".cpp") || file.ends_with(".hpp");
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (const Phrase* phrase = find_phrase(is_code ? find_text_in_code(lines[i]) : lines[i]))
        FAIL_CHECK(file << ":" << i + 1 << ": " << lines[i] << "\n  say: " << phrase->instead);
    }
  }
}

TEST_CASE("each of the phrases is found", "[project][words]") {
  const std::string line =
      GENERATE("found 3, required is 4", "a value that is no number", "a file whose header is none",
               "the bytes behind it", "the last byte behind.", "the header stands first", "what stood here",
               "snapshots, of which none is complete", "recover mends it", "Rows that have slipped",
               "is passed over", "it is told by its first bytes", "a kind that nobody knows",
               "a rule does not hold", "return \"input ends\";", "keep what is whole", "searches by halves",
               "take what is left for what was lost", "// shown if reading takes long.",
               "because it takes very long to compile", "which takes much memory",
               "an error, also if the file is empty", "all rows, also those that were skipped",
               "an object of another kind than the root", "the head counts along with the entries",
               "id, severity, and what must hold", "it runs in half of the time", "the file has 3 MB",
               "the nodes that fit a description", "the summary tells how many", "it cannot hold everything",
               "it begins with a magic and a count", "strings that exist several times",
               "a file too damaged for an answer", "whatever else the machine does");
  INFO(line);
  CHECK(find_phrase(line) != nullptr);
}

TEST_CASE("similar sentences are accepted", "[project][words]") {
  const std::string line =
      GENERATE(as<std::string>{}, "an option is required", "there is no file at this path",
               "if there is none", "it is none of these", "case file-truncated-behind-magic.mvmheap",
               "OUT stands for a file", "a stand-alone program", "blocks, of which each has a size",
               "amendments", "leaves nothing behind", "if x is None else y", "one pass over the file",
               "as foretold", "what was found and what was expected", "loss.what == what",
               "it takes much longer", "an option that takes long names", "it is also skipped if it is empty",
               "files other than dumps", "they affect each other more than before", "rows that also count");
  INFO(line);
  CHECK(find_phrase(line) == nullptr);
}

TEST_CASE("in code, only comments and string literals are text", "[project][words]") {
  CHECK(find_text_in_code("int behind = 1;  // the end").ends_with("// the end"));
  CHECK(find_text_in_code("int behind = 1;").empty());
  CHECK(find_text_in_code(R"(f(behind, "a \"b\" // c", 1);  // d)") == R"("a \"b\" // c"// d)");
  CHECK(find_text_in_code(R"(case '"': return behind;)").empty());
}
