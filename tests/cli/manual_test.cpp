// Tests that the manual page and the help match the table of commands.
#include <fmt/format.h>

#include <string>

#include "cli/about/pages.hpp"
#include "cli/command_table.hpp"
#include "heapcheck/export.hpp"
#include "tests/support/program.hpp"

using namespace heapcheck;
using namespace heapcheck::tests;

namespace {

/// The text without line breaks and indentation, which depend on the terminal.
std::string unwrap(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == ' ';
    if (!is_blank) out += c;
    if (is_blank && !out.ends_with(' ')) out += ' ';
  }
  return out;
}

}  // namespace

TEST_CASE("the synopsis of the manual page lists every command", "[program][manual]") {
  const std::string synopsis = cli::make_manual_synopsis();
  for (const cli::Command& command : cli::program().commands) {
    INFO(command.name);
    CHECK(synopsis.contains(fmt::format(".B heapcheck {}\n", command.name)));
  }
}

TEST_CASE("the manual page of a command has its arguments and options", "[program][manual]") {
  for (const cli::Command& command : cli::program().commands) {
    INFO(command.name);
    const std::string made = cli::make_manual_page(command);
    CHECK(made.contains(fmt::format("\nheapcheck\\-{} \\- ", command.name)));
    for (const cli::Argument& argument : command.arguments)
      CHECK(made.contains(fmt::format("\\fI{}\\fR", argument.name)));
    for (const cli::Option& option : command.options) CHECK(made.contains(cli::option_to_roff(option)));
    CHECK(made.contains("\\fB\\-\\-help\\fR"));
  }
}

TEST_CASE("the closing text of a command's help names its subject", "[manual]") {
  for (const cli::Command& command : cli::program().commands) {
    INFO(command.name << ": " << command.manual);
    for (const std::string_view word : {"It ", "Its ", "They ", "Their ", "That ", "This ", "Shows its "})
      CHECK(!command.manual.starts_with(word));
  }
}

TEST_CASE("the manual page of export describes every form", "[program][manual]") {
  const std::string made = cli::make_manual_page(*cli::find_command("export"));
  for (const ExportForm form : all_export_forms())
    CHECK(made.contains(fmt::format("\\fB{}\\fR {}\n", name_of(form), manual_of(form))));
}

TEST_CASE("the help of the program lists the commands of the table", "[program][manual]") {
  const std::string help = unwrap(run("heapcheck --help").out);
  CHECK(help.contains(std::string(cli::program().help)));
  for (const cli::Command& command : cli::program().commands)
    CHECK(help.contains(fmt::format(" {} {} ", command.name, command.help)));
  for (const cli::Option& option : cli::program().options)
    CHECK(help.contains(fmt::format("--{} {} ", option.name, option.help)));
}

TEST_CASE("the help of a command lists its options from the table", "[program][manual]") {
  for (const cli::Command& command : cli::program().commands) {
    const std::string help = unwrap(run(fmt::format("heapcheck {} --help", command.name)).out);
    INFO(help);
    CHECK(help.starts_with(command.help));
    for (const cli::Argument& argument : command.arguments) CHECK(help.contains(std::string(argument.help)));
    for (const cli::Option& option : command.options) {
      INFO(option.name);
      const std::string value = describe_value(option);
      CHECK(help.contains(
          fmt::format("--{}{}{} {}", option.name, value.empty() ? "" : " ", value, option.help)));
      CHECK(help.contains(option.default_text.empty() ? ""
                                                      : fmt::format("(default: {})", option.default_text)));
    }
  }
}

TEST_CASE("the table as JSON has every command, argument and option", "[manual]") {
  const std::string json = cli::make_table_json();
  for (const cli::Command& command : cli::program().commands) {
    const std::size_t begin = json.find(
        fmt::format("\"name\": \"{}\",\n      \"is_question\": {},", command.name, command.run == nullptr));
    REQUIRE(begin != std::string::npos);
    const std::string row = json.substr(begin, json.find("\"is_question\"", begin + 100) - begin);
    for (const cli::Argument& argument : command.arguments)
      CHECK(row.contains(fmt::format("\"name\": \"{}\",", argument.name)));
    for (const cli::Option& option : command.options)
      CHECK(row.contains(fmt::format("\"name\": \"{}\",", option.name)));
  }
}
