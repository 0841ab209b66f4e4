// The only unit that includes CLI11, whose headers take long to compile.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <map>

#include "cli/suggestions.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// `-o,--output-file`
std::string cli_name(const Option& option) {
  return option.short_name == '\0' ? fmt::format("--{}", option.name)
                                   : fmt::format("-{},--{}", option.short_name, option.name);
}

std::string describe(const Option& option) {
  if (option.default_text.empty()) return std::string(option.help);
  return fmt::format("{} (default: {})", option.help, option.default_text);
}

// What CLI11 asks of a value; the error, or nothing.

std::string check_choice(const Option& option, const std::string& typed) {
  const Choices choices = choices_of(option);
  if (std::ranges::find(choices, typed) != choices.end()) return {};
  return fmt::format("{} not in {{{}}}{}", typed, fmt::join(choices, ","), suggest_choice(option, typed));
}

std::string check_limit(const std::string& size) {
  const bool is_none = size == "0" || size.starts_with("-");
  return is_none ? size + " is no limit, required is 1 byte or more" : std::string();
}

std::string check_size(const std::string& size) {
  constexpr std::size_t most_digits = 18;
  const bool is_long = std::min(size.find_first_not_of("0123456789"), size.size()) > most_digits;
  const bool is_none = size.starts_with("-") || is_long;
  return is_none ? size + " is no size, required are 0 bytes or more" : std::string();
}

std::string check_number(const std::string& size) {
  const bool is_number = size.find_first_of("0123456789") <= 1;
  return is_number ? std::string() : size + " is no size, required is a number, also with a unit: 512M";
}

std::string check_percent(const std::string& percent) {
  const bool is_plain = percent.find_first_not_of("0123456789.") == std::string::npos;
  return is_plain ? std::string() : percent + " is no share, required are 0 to 100 percent";
}

template <class Check>
CLI::Validator make_validator(Check check, std::string description = {}) {
  return {[check](std::string& typed) { return check(typed); }, std::move(description)};
}

/// Adds something with values of type T that `value` takes; a value of that type in it is its default.
template <class T>
CLI::Option* add_as(CLI::App& app, const std::string& name, const std::string& help, Value& value) {
  return app.add_option_function<T>(name, [&value](const T& given) { value = given; }, help);
}

CLI::Option* add_size(CLI::App& app, const Option& option, Value& value) {
  return add_as<std::uint64_t>(app, cli_name(option), describe(option), value)
      ->transform(CLI::AsSizeValue(false))
      ->transform(make_validator(check_number))  // the last transformer comes first
      ->check(make_validator(option.kind == ValueKind::limit ? check_limit : check_size));
}

CLI::Option* add_count(CLI::App& app, const Option& option, Value& value) {
  std::uint64_t fallback = 0;
  const std::string text(option.default_text);
  const char* const end = text.c_str() + text.size();
  const auto [rest, error] = std::from_chars(text.c_str(), end, fallback);
  if (error == std::errc() && rest == end) value = fallback;
  return add_as<std::uint64_t>(app, cli_name(option), describe(option), value)
      ->check(CLI::Range(option.least, option.most));
}

CLI::Option* add_choice(CLI::App& app, const Option& option, Value& value) {
  const Choices choices = choices_of(option);
  const auto fallback = std::ranges::find(choices, option.default_text);
  if (fallback != choices.end()) value = *fallback;
  const auto check = [&option](const std::string& typed) { return check_choice(option, typed); };
  return add_as<std::string>(app, cli_name(option), describe(option), value)
      ->check(make_validator(check, fmt::format("{{{}}}", fmt::join(choices, ","))));
}

CLI::Option* add_percent(CLI::App& app, const Option& option, Value& value) {
  constexpr double all = 100;
  return add_as<double>(app, cli_name(option), describe(option), value)
      ->check(CLI::Range(0.0, all))
      ->check(make_validator(check_percent));
}

CLI::Option* add_flag(CLI::App& app, const Option& option, Value& value) {
  return app.add_flag(cli_name(option), value.emplace<bool>(false), describe(option));
}

CLI::Option* add_value(CLI::App& app, const Option& option, Value& value) {
  switch (option.kind) {
    case ValueKind::none:
      return add_flag(app, option, value);
    case ValueKind::text:
    case ValueKind::file:
      break;
    case ValueKind::choice:
      return add_choice(app, option, value);
    case ValueKind::count:
      return add_count(app, option, value);
    case ValueKind::limit:
    case ValueKind::size:
      return add_size(app, option, value);
    case ValueKind::percent:
      return add_percent(app, option, value);
  }
  return add_as<std::string>(app, cli_name(option), describe(option), value);
}

void add_option(CLI::App& app, const Option& option, Value& value) {
  CLI::Option* added = add_value(app, option, value);
  if (option.is_required) added->required();
  if (option.kind != ValueKind::none) added->option_text(describe_value(option));
  if (!option.excludes.empty()) added->excludes(app.get_option("--" + std::string(option.excludes)));
}

void add_argument(CLI::App& app, const Argument& argument, Value& value) {
  const std::string name(argument.name);
  const std::string help(argument.help);
  CLI::Option* added = argument.is_repeated ? add_as<std::vector<std::string>>(app, name, help, value)
                                            : add_as<std::string>(app, name, help, value);
  added->required();
  if (argument.kind == ValueKind::file) added->type_name("FILE");
}

Values add_command(CLI::App& app, const Command& command) {
  Values values;
  CLI::App& added = *app.add_subcommand(std::string(command.name), std::string(command.help));
  if (command.argument) add_argument(added, *command.argument, values.slot(command.argument->name));
  for (const Option& option : command.options) add_option(added, option, values.slot(option.name));
  return values;
}

void set_up(CLI::App& app) {
  const Option& help = *find_option(program().options, "help");
  const Option& show_version = *find_option(program().options, "version");
  app.set_help_flag(cli_name(help), std::string(help.help));
  app.set_version_flag(cli_name(show_version), fmt::format("{} {}", program().name, version()),
                       std::string(show_version.help));
  app.require_subcommand(1);
}

std::string list_commands() {
  std::string text;
  for (const Command& command : program().commands) {
    const bool is_last = &command == &program().commands.back();
    text.append(text.empty() ? "" : is_last ? " and " : ", ").append(command.name);
  }
  return text;
}

NoCommand refuse_command(std::string_view typed) {
  return {.error = fmt::format("no command is called {}{}; there are {}", typed, suggest_command(typed),
                               list_commands())};
}

/// The arguments that belong to no option of the command, or else of the program.
std::vector<std::string> find_unexpected(const CLI::App& app) {
  std::vector<std::string> unexpected = app.remaining();
  for (const CLI::App* command : app.get_subcommands()) {
    if (unexpected.empty()) unexpected = command->remaining();
  }
  return unexpected;
}

/// What CLI11 says. Where something was not expected that looks like an option, that is said first, with what
/// it was meant to be: the error is likely to come from it.
std::string describe(const CLI::App& app, const Command* command, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = find_unexpected(app);
  const auto option = std::ranges::find_if(
      unexpected, [](const std::string& word) { return word.size() > 1 && word.starts_with("-"); });
  const bool is_about_presence = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                                 dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (!is_about_presence || option == unexpected.end() || *option == "--") return error.what();
  return CLI::ExtrasError(unexpected).what() + suggest_option(command, *option);
}

NoCommand stop(const CLI::App& app, const Command* command, const CLI::ParseError& error) {
  if (error.get_name() == "CallForHelp") return {.output = app.help()};
  if (error.get_name() == "CallForVersion") return {.output = std::string(error.what()) + "\n"};
  const std::string name = command == nullptr ? "" : std::string(command->name) + " ";
  return {.error = fmt::format("{}; `heapcheck {}--help` says more", describe(app, command, error), name)};
}

}  // namespace

std::expected<CommandLine, NoCommand> read_command_line(int argc, const char* const* argv) {
  const Command* const first = argc > 1 ? find_command(argv[1]) : nullptr;
  if (argc > 1 && argv[1][0] != '-' && first == nullptr) return std::unexpected(refuse_command(argv[1]));
  CLI::App app(std::string(program().help), std::string(program().name));
  set_up(app);
  std::map<std::string_view, Values> values;
  for (const Command& command : program().commands) values.emplace(command.name, add_command(app, command));
  app.footer(std::string(program().footer));  // last, else the commands have it too
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return std::unexpected(stop(app, first, error));
  }
  const Command* const command = find_command(app.get_subcommands().front()->get_name());
  return CommandLine{.command = command, .values = std::move(values.at(command->name))};
}

}  // namespace heapcheck::cli
