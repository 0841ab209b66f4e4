// The only source that includes CLI11, whose headers take a long time to compile.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "cli/about/build.hpp"
#include "cli/config/rule_lists.hpp"
#include "cli/suggestions.hpp"
#include "formats/core/text/parse_number.hpp"
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

/// `text`, `text or json`, `text, json or md`.
std::string list_choices(const Choices& choices) {
  if (choices.size() < 2) return choices.empty() ? std::string() : choices.front();
  return fmt::format("{} or {}", fmt::join(choices.begin(), choices.end() - 1, ", "), choices.back());
}

/// The values that an option takes: `a whole number from 1 to 19`.
std::string describe_expected(const Option& option) {
  switch (option.kind) {
    case ValueKind::none:
      return "no value";
    case ValueKind::text:
      break;
    case ValueKind::file:
      return "the path of a file";
    case ValueKind::choice:
      return list_choices(choices_of(option));
    case ValueKind::count:
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueKind::limit:
    case ValueKind::size:
      return "a number of bytes, such as 1000 or 512M";
    case ValueKind::percent:
      return "a number from 0 to 100";
    case ValueKind::rules:
      return "the id of a rule or a pattern, such as mvm3.toc.*";
    case ValueKind::severities:
      return "a rule and its level, such as mvm3.toc.*=warning";
  }
  return "a string";
}

std::string describe_mismatch(const Option& option, std::string_view typed) {
  return fmt::format("found {}, expected {}", typed.empty() ? "no value" : typed, describe_expected(option));
}

// The checks that CLI11 runs on a value. Each returns the error, which is empty if there is none.

std::string check_choice(const Option& option, const std::string& typed) {
  const Choices choices = choices_of(option);
  if (std::ranges::find(choices, typed) != choices.end()) return {};
  return describe_mismatch(option, typed) + suggest_choice(option, typed);
}

std::string check_word(const Argument& argument, const std::string& typed) {
  const Choices choices = argument.choices();
  if (std::ranges::find(choices, typed) != choices.end()) return {};
  return fmt::format("found {}, expected {}", typed.empty() ? "no value" : typed, list_choices(choices));
}

std::string check_count(const Option& option, const std::string& typed) {
  const CLI::Range range(option.least, option.most);
  return range(typed).empty() ? std::string() : describe_mismatch(option, typed);
}

std::string check_limit(const std::string& size) {
  const bool is_zero = size == "0" || size.starts_with("-");
  return is_zero ? fmt::format("found {}, expected 1 byte or more", size) : std::string();
}

std::string check_size(const std::string& size) {
  constexpr std::size_t most_digits = 18;
  const bool is_long = std::min(size.find_first_not_of("0123456789"), size.size()) > most_digits;
  if (is_long) return fmt::format("found {}, expected a number of at most {} digits", size, most_digits);
  return size.starts_with("-") ? fmt::format("found {}, expected 0 bytes or more", size) : std::string();
}

/// Replaces a size such as 512M with the number of bytes.
std::string expand_size(const Option& option, std::string& typed) {
  const std::string found = typed;
  try {
    const bool has_number = typed.find_first_of("0123456789") <= 1;
    if (has_number && CLI::AsSizeValue(false)(typed).empty()) return {};
  } catch (const CLI::ValidationError&) {
    return describe_mismatch(option, found);  // the message of the error does not contain the typed text
  }
  return describe_mismatch(option, found);
}

std::string check_percent(const Option& option, const std::string& typed) {
  constexpr double all = 100;
  const CLI::Range range(0.0, all);
  const bool is_plain = typed.find_first_not_of("0123456789.") == std::string::npos;
  return is_plain && range(typed).empty() ? std::string() : describe_mismatch(option, typed);
}

template <class Check>
CLI::Validator make_validator(Check check) {
  return {[check](std::string& typed) { return check(typed); }, std::string()};
}

/// Adds an option or an argument whose value, of type T, is stored in `value`. If `value` already
/// holds a T, that is the default.
template <class T>
CLI::Option* add_as(CLI::App& app, const std::string& name, const std::string& help, Value& value) {
  return app.add_option_function<T>(name, [&value](const T& given) { value = given; }, help);
}

CLI::Option* add_size(CLI::App& app, const Option& option, Value& value) {
  const auto expand = [&option](std::string& typed) { return expand_size(option, typed); };
  return add_as<std::uint64_t>(app, cli_name(option), describe(option), value)
      ->transform(make_validator(expand))
      ->check(make_validator(option.kind == ValueKind::limit ? check_limit : check_size));
}

CLI::Option* add_count(CLI::App& app, const Option& option, Value& value) {
  if (const auto fallback = core::parse_number(option.default_text)) value = *fallback;
  const auto check = [&option](const std::string& typed) { return check_count(option, typed); };
  return add_as<std::uint64_t>(app, cli_name(option), describe(option), value)->check(make_validator(check));
}

CLI::Option* add_choice(CLI::App& app, const Option& option, Value& value) {
  const Choices choices = choices_of(option);
  const auto fallback = std::ranges::find(choices, option.default_text);
  if (fallback != choices.end()) value = *fallback;
  const auto check = [&option](const std::string& typed) { return check_choice(option, typed); };
  return add_as<std::string>(app, cli_name(option), describe(option), value)->check(make_validator(check));
}

CLI::Option* add_percent(CLI::App& app, const Option& option, Value& value) {
  const auto check = [&option](const std::string& typed) { return check_percent(option, typed); };
  return add_as<double>(app, cli_name(option), describe(option), value)->check(make_validator(check));
}

CLI::Option* add_flag(CLI::App& app, const Option& option, Value& value) {
  return app.add_flag(cli_name(option), value.emplace<bool>(false), describe(option));
}

CLI::Option* add_text(CLI::App& app, const Option& option, Value& value) {
  if (!option.is_repeated) return add_as<std::string>(app, cli_name(option), describe(option), value);
  return add_as<std::vector<std::string>>(app, cli_name(option), describe(option), value)
      ->allow_extra_args(false);
}

CLI::Option* add_path(CLI::App& app, const Option& option, Value& value) {
  return add_text(app, option, value)->check(make_validator([&option](const std::string& typed) {
    return typed.empty() ? describe_mismatch(option, typed) : std::string();
  }));
}

CLI::Option* add_list(CLI::App& app, const Option& option, Value& value) {
  const auto check = option.kind == ValueKind::rules ? check_rules : check_severities;
  return add_text(app, option, value)->check(make_validator([check](const std::string& typed) {
    return check(typed);
  }));
}

CLI::Option* add_value(CLI::App& app, const Option& option, Value& value) {
  switch (option.kind) {
    case ValueKind::none:
      return add_flag(app, option, value);
    case ValueKind::text:
      break;
    case ValueKind::file:
      return add_path(app, option, value);
    case ValueKind::choice:
      return add_choice(app, option, value);
    case ValueKind::count:
      return add_count(app, option, value);
    case ValueKind::limit:
    case ValueKind::size:
      return add_size(app, option, value);
    case ValueKind::percent:
      return add_percent(app, option, value);
    case ValueKind::rules:
    case ValueKind::severities:
      return add_list(app, option, value);
  }
  return add_text(app, option, value);
}

/// The option of that name, which has been added. CLI::App::get_option() is noexcept although it allocates.
CLI::Option* find_added(CLI::App& app, std::string_view name) {
  return app.get_options([&](const CLI::Option* option) { return option->check_lname(std::string(name)); })
      .front();
}

void add_option(CLI::App& app, const Option& option, Value& value) {
  CLI::Option* added = add_value(app, option, value);
  if (option.is_required) added->required();
  added->option_text(option.kind == ValueKind::none ? " " : describe_value(option));
  if (!option.excludes.empty()) added->excludes(find_added(app, option.excludes));
}

void add_argument(CLI::App& app, const Argument& argument, Value& value) {
  const std::string name(argument.name);
  const std::string help(argument.help);
  CLI::Option* added = argument.is_repeated ? add_as<std::vector<std::string>>(app, name, help, value)
                                            : add_as<std::string>(app, name, help, value);
  added->required(!argument.is_optional);
  added->option_text(argument.is_optional ? "(optional)" : " ");
  if (argument.choices == nullptr) return;
  added->check(make_validator([&argument](const std::string& typed) { return check_word(argument, typed); }));
}

/// The text of the manual page without its marks for `literals` and *placeholders*.
std::string make_plain(std::string_view manual) {
  std::string text(manual);
  std::erase_if(text, [](char c) { return c == '`' || c == '*'; });
  return text;
}

Values add_command(CLI::App& app, const Command& command) {
  Values values;
  CLI::App& added = *app.add_subcommand(std::string(command.name), std::string(command.help));
  added.footer(make_plain(command.manual));
  for (const Argument& argument : command.arguments)
    add_argument(added, argument, values.slot(argument.name));
  for (const Option& option : command.options) add_option(added, option, values.slot(option.name));
  return values;
}

void set_up(CLI::App& app) {
  const Option& help = *find_option(program().options, "help");
  const Option& show_version = *find_option(program().options, "version");
  app.set_help_flag(cli_name(help), std::string(help.help));
  CLI::Option* const version_flag =
      app.set_version_flag(cli_name(show_version), fmt::format("{} {}", program().name, version()),
                           std::string(show_version.help));
  const Option& verbose = *find_option(program().options, "verbose");
  app.add_flag(cli_name(verbose))
      ->description(std::string(verbose.help))
      ->option_text(" ")
      ->needs(version_flag);
  app.require_subcommand(1);
}

/// `validate, info and explain`.
std::string list_commands() {
  std::string text;
  for (const Command& command : program().commands) {
    const bool is_last = &command == &program().commands.back();
    text.append(text.empty() ? "" : is_last ? " and " : ", ").append(command.name);
  }
  return text;
}

NoCommand refuse_command(std::string_view typed) {
  return {.error = fmt::format("unknown command {}{}; the commands are {}", typed, suggest_command(typed),
                               list_commands())};
}

/// The arguments that belong to neither the command nor the program.
std::vector<std::string> find_unexpected(const CLI::App& app) {
  std::vector<std::string> unexpected = app.remaining();
  for (const CLI::App* command : app.get_subcommands()) {
    if (unexpected.empty()) unexpected = command->remaining();
  }
  return unexpected;
}

/// `text` with the first `from` replaced by `to`; nothing if `text` does not contain `from`.
std::optional<std::string> replace_once(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return std::nullopt;
  return text.replace(at, from.size(), to);
}

/// Describes a wrong number of values, which CLI11 reports as `--jobs: 1 required UINT missing`.
std::string describe_number_of_values(const Command* command, const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  if (text.find("At Most") != std::string::npos) return name + " is given more than once";
  const Option* const option =
      command == nullptr || name.size() < 2 ? nullptr : find_option(command->options, name.substr(2));
  return option == nullptr ? text : fmt::format("{}: {}", name, describe_mismatch(*option, ""));
}

/// Replaces the wording of CLI11 with ours.
std::string reword(const Command* command, const CLI::ParseError& error) {
  std::string text = error.what();
  if (error.get_name() == "ArgumentMismatch") return describe_number_of_values(command, text);
  if (text == "A subcommand is required") return "no command given; the commands are " + list_commands();
  if (error.get_name() == "RequiredError")
    return replace_once(text, " is required", " is missing").value_or(text);
  if (error.get_name() == "ExcludesError")
    return replace_once(text, " excludes ", " cannot be combined with ").value_or(text);
  if (error.get_name() == "RequiresError") return replace_once(text, " requires ", " needs ").value_or(text);
  if (error.get_name() == "ConversionError") {
    auto flag = replace_once(text, "Could not convert: ", "");
    if (flag) flag = replace_once(*flag, " = ", ": found ");
    if (flag) return *flag + ", expected no value";
  }
  return text;
}

std::string list_unexpected(const std::vector<std::string>& arguments) {
  return fmt::format("unexpected {} {}", arguments.size() == 1 ? "argument" : "arguments",
                     fmt::join(arguments, " "));
}

/// Describes the error. An unknown option is reported first, with a suggestion, because it is probably the
/// cause of the error that CLI11 reports.
std::string describe(const CLI::App& app, const Command* command, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = find_unexpected(app);
  const auto option = std::ranges::find_if(
      unexpected, [](const std::string& word) { return word.size() > 1 && word.starts_with("-"); });
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool is_about_presence = is_extra || dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (is_about_presence && option != unexpected.end() && *option != "--")
    return fmt::format("unknown option {}{}", *option, suggest_option(command, *option));
  return is_extra && !unexpected.empty() ? list_unexpected(unexpected) : reword(command, error);
}

NoCommand stop(CLI::App& app, const Command* command, const CLI::ParseError& error) {
  if (error.get_name() == "CallForHelp") return {.output = app.help()};
  if (error.get_name() == "CallForVersion") {
    const bool is_verbose = find_added(app, "verbose")->count() > 0;
    return {.output = fmt::format("{}\n{}", error.what(), is_verbose ? describe_build() : "")};
  }
  const std::string name = command == nullptr ? "" : std::string(command->name) + " ";
  return {.error = fmt::format("{}; see `heapcheck {}--help`", describe(app, command, error), name)};
}

/// An argument such as `--output=`, for which CLI11 would take the next argument as the value; empty if there
/// is none.
std::string_view find_without_value(std::span<const char* const> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--") && argument.find('=') + 1 == argument.size()) return argument;
  }
  return {};
}

}  // namespace

std::expected<CommandLine, NoCommand> read_command_line(int argc, const char* const* argv) {
  const Command* const first = argc > 1 ? find_command(argv[1]) : nullptr;
  if (argc > 1 && argv[1][0] != '-' && first == nullptr) return std::unexpected(refuse_command(argv[1]));
  if (const std::string_view found = find_without_value({argv, static_cast<std::size_t>(argc)});
      !found.empty())
    return std::unexpected(NoCommand{.error = fmt::format("{} has no value after it", found)});
  CLI::App app(std::string(program().help), std::string(program().name));
  set_up(app);
  std::map<std::string_view, Values> values;
  for (const Command& command : program().commands) values.emplace(command.name, add_command(app, command));
  app.footer(std::string(program().footer));  // last, because the commands would otherwise inherit it
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return std::unexpected(stop(app, first, error));
  }
  CLI::App* const parsed = app.get_subcommands().front();
  const Command* const command = find_command(parsed->get_name());
  Values& given = values.at(command->name);
  for (const Option& option : command->options) {
    if (find_added(*parsed, option.name)->count() != 0) given.mark_given(option.name);
  }
  return CommandLine{.command = command, .values = std::move(given)};
}

}  // namespace heapcheck::cli
