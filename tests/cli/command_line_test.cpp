// What is read from a command line, and what is said of one that is wrong.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace heapcheck::cli;

namespace {

auto parse(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"heapcheck"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return read_command_line(static_cast<int>(argv.size()), argv.data());
}

/// The words of a command line that is complete but for options.
std::vector<std::string> begin_line(const Command& command) {
  std::vector<std::string> words{std::string(command.name)};
  for (const Option& option : command.options) {
    if (option.is_required)
      words.insert(words.end(), {fmt::format("--{}", option.name), choices_of(option)[0]});
  }
  if (command.argument) words.emplace_back("in");
  return words;
}

struct Sample {
  std::string typed;
  Value value;
};

/// A value that the option takes and that is not its default.
Sample make_sample(const Option& option) {
  switch (option.kind) {
    case ValueKind::none:
      return {"", true};
    case ValueKind::text:
    case ValueKind::file:
      break;
    case ValueKind::choice:
      return {choices_of(option).back(), choices_of(option).back()};
    case ValueKind::count:
      return {"7", std::uint64_t{7}};
    case ValueKind::limit:
    case ValueKind::size:
      return {"2K", std::uint64_t{2048}};
    case ValueKind::percent:
      return {"0.5", 0.5};
  }
  return {"a file", std::string("a file")};
}

/// What is said of a command line that is wrong; empty where it is not.
std::string error_of(const std::vector<std::string>& words) {
  const auto line = parse(words);
  return line ? std::string() : line.error().error;
}

}  // namespace

TEST_CASE("every option of every command is read", "[command-line]") {
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      std::vector<std::string> words{std::string(command.name)};
      if (!option.is_required) words = begin_line(command);
      if (option.is_required) words.emplace_back("in");
      const Sample sample = make_sample(option);
      words.push_back(fmt::format("--{}", option.name));
      if (option.kind != ValueKind::none) words.push_back(sample.typed);
      auto line = parse(words);
      INFO(fmt::format("{}", fmt::join(words, " ")));
      REQUIRE(line);
      CHECK(line->command == &command);
      CHECK(line->values.slot(option.name) == sample.value);
    }
  }
}

TEST_CASE("an option that is not given has its default", "[command-line]") {
  auto line = parse({"validate", "a", "b"});
  REQUIRE(line);
  CHECK(line->values.get<std::vector<std::string>>("PATH") == std::vector<std::string>{"a", "b"});
  CHECK(line->values.get<std::string>("output") == "text");
  CHECK(line->values.get<std::uint64_t>("max-per-rule") == 20);
  CHECK(line->values.get<std::string>("for").empty());
  CHECK(!line->values.get<bool>("quiet"));
  CHECK(!line->values.find<std::uint64_t>("jobs"));
  CHECK(!line->values.find<std::uint64_t>("max-memory"));
  CHECK_THROWS(line->values.get<bool>("no-such-option"));
}

TEST_CASE("a short name and a value after = are read", "[command-line]") {
  auto line = parse({"convert", "in", "-o", "out", "--to=mvmheap-v1", "--level=3"});
  REQUIRE(line);
  CHECK(line->values.get<std::string>("IN") == "in");
  CHECK(line->values.get<std::string>("output-file") == "out");
  CHECK(line->values.get<std::string>("to") == "mvmheap-v1");
  CHECK(line->values.get<std::uint64_t>("level") == 3);
}

TEST_CASE("a word that is misspelt gets a suggestion", "[command-line]") {
  const auto [words, suggestion] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"validat"}, "no command is called validat; did you mean validate; there are validate, info, "},
      {{"version"}, "did you mean --version; there are "},
      {{"-V"}, "not expected: -V; did you mean --version; `heapcheck --help` says more"},
      {{"--versio"}, "did you mean --version; `heapcheck --help`"},
      {{"validate", "--version"}, "did you mean `heapcheck --version`; `heapcheck validate --help`"},
      {{"validate", "--max-memory", "a.mvmheap"}, "--max-memory: a.mvmheap is no size, required is a number"},
      {{"--outpt"}, "did you mean --output of validate, info and rules; `heapcheck --help`"},
      {{"validate", "--outpt", "json", "in"}, "--outpt; did you mean --output; `heapcheck validate --help`"},
      {{"validate", "--outpt=json"}, "not expected: --outpt=json; did you mean --output; "},
      {{"validate", "in", "-Q"}, "did you mean --quiet; "},
      {{"convert", "in", "-O", "out", "--to", "mvmheap-v1"}, "did you mean -o; "},
      {{"convert", "in", "-o", "out", "--too", "mvmheap-v1"}, "did you mean --to; "},
      {{"convert", "in", "-o", "out", "--to", "mvmheap-v4"}, "heapprofile}; did you mean mvmheap-v3; "},
      {{"recover", "in", "-o", "out", "--to", "mvmheap-v33"}, "did you mean mvmheap-v3; "},
      {{"validate", "in", "--fail-level", "warnings"}, "{error,warning,note}; did you mean warning; "},
      {{"validate", "in", "--for", "devtool"}, "did you mean devtools; "},
      {{"rules", "--output", "jsn"}, "{text,json,md}; did you mean json; `heapcheck rules --help`"},
      {{"info", "--jobs", "2", "in"}, "; --jobs is an option of validate; `heapcheck info --help`"},
  }));
  const std::string error = error_of(words);
  INFO(error);
  CHECK(error.find(suggestion) != std::string::npos);
}

TEST_CASE("what is near nothing gets no suggestion", "[command-line]") {
  const auto words = GENERATE(values<std::vector<std::string>>({{"frobnicate"},
                                                                {"--frobnicate"},
                                                                {"validate", "-x", "in"},
                                                                {"validate", "in", "--for", "nobody"},
                                                                {"rules", "in"}}));
  const std::string error = error_of(words);
  CHECK(!error.empty());
  CHECK(error.find("did you mean") == std::string::npos);
}

TEST_CASE("wrong usage is told in one sentence", "[command-line]") {
  const auto [words, sentence] = GENERATE(table<std::vector<std::string>, std::string>({
      {std::vector<std::string>{}, "A subcommand is required; `heapcheck --help` says more"},
      {{"validate"}, "PATH is required; `heapcheck validate --help` says more"},
      {{"convert", "in"}, "--to is required; `heapcheck convert --help` says more"},
      {{"validate", "in", "--jobs"}, "--jobs: 1 required "},
      {{"validate", "in", "--jobs", "0"}, "--jobs: Value 0 not in range 1 to 256; "},
      {{"validate", "in", "--max-per-rule", "10001"}, "Value 10001 not in range 0 to 10000; "},
      {{"recover", "in", "--level", "20"}, "Value 20 not in range 1 to 19; "},
      {{"validate", "in", "--max-memory", "much"}, "--max-memory: much is no size, "},
      {{"validate", "in", "--max-memory", "0"}, "0 is no limit, required is 1 byte or more; "},
      {{"validate", "in", "--max-expanded", "-5"}, "-5 is no limit, required is 1 byte or more; "},
      {{"convert", "in", "--to", "chrome-legacy", "--threshold", "-1"}, "-1 is no size, "},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "101"}, "101 not in range 0"},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "nan"}, "nan is no share, "},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "1", "--threshold", "1"},
       "--threshold excludes --share; "},
      {{"recover", "in", "-o", "a", "-o", "b"}, "--output-file: At Most 1 required but received 2; "},
      {{"rules", "in"}, "The following argument was not expected: in; `heapcheck rules --help`"},
      {{"explain"}, "ID is required; `heapcheck explain --help` says more"},
  }));
  const std::string error = error_of(words);
  INFO(error);
  CHECK(error.find(sentence) != std::string::npos);
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("help and the version are for standard output", "[command-line]") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"-h"}, {"--version"}, {"info", "--help"}}) {
    const auto line = parse(words);
    REQUIRE(!line);
    CHECK(line.error().error.empty());
    CHECK(line.error().output.ends_with('\n'));
  }
}
