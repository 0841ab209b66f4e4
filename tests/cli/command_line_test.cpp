// Tests reading the command line, and the errors for wrong usage.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/shell/commands.hpp"
#include "heapcheck/types/format.hpp"
#include "tests/support/catch.hpp"

using namespace heapcheck::cli;

namespace {

auto parse(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"heapcheck"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return read_command_line(static_cast<int>(argv.size()), argv.data());
}

/// A command line for the command, without optional options and without the `left_out` option.
std::vector<std::string> begin_line(const Command& command, std::string_view left_out = {}) {
  std::vector<std::string> words{std::string(command.name)};
  for (const Option& option : command.options) {
    if (!option.is_required || option.name == left_out) continue;
    const auto choices = choices_of(option);
    words.insert(words.end(), {fmt::format("--{}", option.name), choices.empty() ? "out" : choices[0]});
  }
  for (const Argument& argument : command.arguments) {
    if (!argument.is_optional) words.push_back(argument.choices == nullptr ? "in" : argument.choices()[0]);
  }
  return words;
}

struct Sample {
  std::string typed;
  Value value;
};

/// A value that the option accepts and that is not its default.
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
    case ValueKind::rules:
      return {"mvm3.toc", std::vector<std::string>{"mvm3.toc"}};
    case ValueKind::severities:
      return {"json=note", std::vector<std::string>{"json=note"}};
  }
  if (option.is_repeated) return {"a text", std::vector<std::string>{"a text"}};
  return {"a file", std::string("a file")};
}

/// The error for a command line; empty if it is correct.
std::string error_of(const std::vector<std::string>& words) {
  const auto line = parse(words);
  return line ? std::string() : line.error().error;
}

}  // namespace

TEST_CASE("every option of every command is recognised", "[command-line]") {
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      std::vector<std::string> words = begin_line(command, option.name);
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

TEST_CASE("an option that may be repeated takes one value each time", "[command-line]") {
  auto line = parse({"diff", "--fail-on", "size > 1", "a", "--fail-on", "count > 1", "b"});
  REQUIRE(line);
  CHECK(line->values.get<std::vector<std::string>>("fail-on") ==
        std::vector<std::string>{"size > 1", "count > 1"});
  CHECK(line->values.get<std::vector<std::string>>("FILE") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("options that are not given have their defaults", "[command-line]") {
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

TEST_CASE("short names and values after = are recognised", "[command-line]") {
  auto line = parse({"convert", "in", "-o", "out", "--to=mvmheap-v1", "--level=3"});
  REQUIRE(line);
  CHECK(line->values.get<std::string>("IN") == "in");
  CHECK(line->values.get<std::string>("output-file") == "out");
  CHECK(line->values.get<std::string>("to") == "mvmheap-v1");
  CHECK(line->values.get<std::uint64_t>("level") == 3);
}

TEST_CASE("a misspelt word gets a suggestion", "[command-line]") {
  const auto [words, suggestion] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"validat"}, "unknown command validat; did you mean validate; the commands are validate, info, "},
      {{"version"}, "did you mean --version; the commands are "},
      {{"-V"}, "unknown option -V; did you mean --version; see `heapcheck --help`"},
      {{"--versio"}, "did you mean --version; see `heapcheck --help`"},
      {{"--verbose"}, "--verbose needs --version; see `heapcheck --help`"},
      {{"validate", "--version"}, "did you mean `heapcheck --version`; see `heapcheck validate --help`"},
      {{"validate", "--max-memory", "a.mvmheap"},
       "--max-memory: found a.mvmheap, expected a number of bytes"},
      {{"--fail-levl"}, "did you mean --fail-level of validate; see `heapcheck --help`"},
      {{"--leve"}, "did you mean --level of convert and recover; see `heapcheck --help`"},
      {{"validate", "--outpt", "json", "in"},
       "--outpt; did you mean --output; see `heapcheck validate --help`"},
      {{"validate", "--outpt=json"}, "unknown option --outpt=json; did you mean --output; "},
      {{"validate", "in", "-Q"}, "did you mean --quiet; "},
      {{"convert", "in", "-O", "out", "--to", "mvmheap-v1"}, "did you mean -o; "},
      {{"convert", "in", "-o", "out", "--too", "mvmheap-v1"}, "did you mean --to; "},
      {{"convert", "in", "-o", "out", "--to", "mvmheap-v4"},
       "heapsnapshot or heapprofile; did you mean mvmheap-v3; "},
      {{"recover", "in", "-o", "out", "--to", "mvmheap-v33"}, "did you mean mvmheap-v3; "},
      {{"validate", "in", "--fail-level", "warnings"},
       "found warnings, expected error, warning or note; did you mean warning; "},
      {{"validate", "in", "--for", "devtool"}, "did you mean devtools; "},
      {{"rules", "--output", "jsn"},
       "found jsn, expected text, json or md; did you mean json; see `heapcheck rules --help`"},
      {{"info", "--jobs", "2", "in"}, "; --jobs is an option of validate; see `heapcheck info --help`"},
  }));
  const std::string error = error_of(words);
  INFO(error);
  CHECK(error.find(suggestion) != std::string::npos);
}

TEST_CASE("a word that is similar to no other gets no suggestion", "[command-line]") {
  const auto words = GENERATE(values<std::vector<std::string>>({{"frobnicate"},
                                                                {"--frobnicate"},
                                                                {"validate", "-x", "in"},
                                                                {"validate", "in", "--for", "nobody"},
                                                                {"rules", "mvm3", "in"}}));
  const std::string error = error_of(words);
  CHECK(!error.empty());
  CHECK(error.find("did you mean") == std::string::npos);
}

TEST_CASE("wrong usage is reported in one line, which states the value found and the values expected",
          "[command-line]") {
  const auto [words, sentence] = GENERATE(table<std::vector<std::string>, std::string>({
      {std::vector<std::string>{}, "no command given; the commands are validate, info, "},
      {{"info"}, "PATH is missing; see `heapcheck info --help`"},
      {{"convert", "in"}, "--to is missing; see `heapcheck convert --help`"},
      {{"validate", "in", "--jobs"}, "--jobs: found no value, expected a whole number from 1 to 256; "},
      {{"validate", "in", "--jobs", "0"}, "--jobs: found 0, expected a whole number from 1 to 256; "},
      {{"validate", "in", "--jobs", "abc"}, "--jobs: found abc, expected a whole number from 1 to 256; "},
      {{"validate", "in", "--jobs", "1.5"}, "--jobs: found 1.5, expected a whole number from 1 to 256; "},
      {{"validate", "in", "--output"},
       "--output: found no value, expected text, json, ndjson, sarif, junit, github or gitlab; "},
      {{"validate", "in", "--quiet=maybe"}, "--quiet: found maybe, expected no value; "},
      {{"validate", "in", "--max-memory"},
       "--max-memory: found no value, expected a number of bytes, such as "},
      {{"validate", "in", "--max-memory", "5Q"},
       "--max-memory: found 5Q, expected a number of bytes, such as "},
      {{"validate", "in", "--max-memory", "5.5G"},
       "found 5.5G, expected a number of bytes, such as 1000 or 512M; "},
      {{"validate", "in", "--max-per-rule", "10001"},
       "found 10001, expected a whole number from 0 to 10000; "},
      {{"recover", "in", "--level", "20"}, "--level: found 20, expected a whole number from 1 to 19; "},
      {{"validate", "in", "--max-memory", "99999999999G"},
       "--max-memory: found 99999999999G, expected at most 18446744073709551615 bytes; "},
      {{"validate", "in", "--max-memory", "18446744073709551616"},
       "found 18446744073709551616, expected at most 18446744073709551615 bytes; "},
      {{"convert", "in", "--to", "chrome-legacy", "--threshold", "1000000000000000000"},
       "--threshold: found 1000000000000000000, expected at most 999999999999999999 bytes; "},
      {{"validate", "in", "--max-memory", "much"}, "--max-memory: found much, expected a number of bytes, "},
      {{"validate", "in", "--max-memory", "0"}, "--max-memory: found 0, expected 1 byte or more; "},
      {{"validate", "in", "--max-expanded", "-5"}, "--max-expanded: found -5, expected 1 byte or more; "},
      {{"convert", "in", "--to", "chrome-legacy", "--threshold", "-1"},
       "--threshold: found -1, expected 0 bytes or more; "},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "101"},
       "--share: found 101, expected a number from 0 to 100; "},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "nan"},
       "--share: found nan, expected a number from 0 to 100; "},
      {{"convert", "in", "--to", "chrome-legacy", "--share", "1", "--threshold", "1"},
       "--threshold cannot be combined with --share; "},
      {{"validate", "in", "--output-file", ""},
       "--output-file: found no value, expected the path of a file; "},
      {{"validate", "in", "--output=", "json"}, "--output= has no value after it"},
      {{"recover", "in", "-o", "a", "-o", "b"}, "--output-file is given more than once; "},
      {{"rules", "mvm3", "in"}, "unexpected argument in; see `heapcheck rules --help`"},
      {{"info", "in", "a", "b"}, "unexpected arguments a b; see `heapcheck info --help`"},
      {{"explain"}, "found no ID, expected the id of a rule, such as mvm3.toc.entry-bounds; see "},
      {{"path", "in", "--merged"}, "or with --merged a query, such as 'objects size>1000'; see "},
      {{"top", "in"}, "found no WHAT, expected objects, types, stables, "},
  }));
  const std::string error = error_of(words);
  INFO(error);
  CHECK(error.find(sentence) != std::string::npos);
  CHECK(error.find('\n') == std::string::npos);
}

TEST_CASE("help and the version go to standard output", "[command-line]") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"-h"}, {"--version"}, {"info", "--help"}}) {
    const auto line = parse(words);
    REQUIRE(!line);
    CHECK(line.error().error.empty());
    CHECK(line.error().output.ends_with('\n'));
  }
}

TEST_CASE("an argument that may not be missing says what it must be", "[command-line]") {
  const auto check = [](const auto& commands) {
    for (const auto& command : commands) {
      for (const Argument& argument : command.arguments) {
        INFO(command.name << ' ' << argument.name);
        const bool is_checked = !argument.is_optional && argument.kind != ValueKind::file;
        if (is_checked) CHECK(!describe_expected(argument).empty());
      }
    }
  };
  check(program().commands);
  check(shell_commands());
}

TEST_CASE("the verbose version names the build, each library and each format", "[command_line]") {
  const auto line = parse({"--version", "--verbose"});
  REQUIRE(!line);
  const std::string text = line.error().output;
  CHECK(text.starts_with(parse({"--version"}).error().output));
  CHECK(parse({"--verbose", "--version"}).error().output == text);
  for (const std::string word :
       {"build: ", "zstd 1.", "zlib 1.", "SQLite 3.", "fmt ", "Boost 1.", "CLI11 ", "toml++ 3."}) {
    INFO(word);
    CHECK(text.find(word) != std::string::npos);
  }
  for (const heapcheck::Format format : heapcheck::all_formats())
    CHECK(text.find(heapcheck::title_of(format)) != std::string::npos);
}
