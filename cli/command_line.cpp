// The only source file that includes CLI11, whose headers take a long time to compile. CLI11 splits the
// command line and formats the help. Values and the rules for options are checked here, so that CLI11's own
// messages are never shown.
#include "cli/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include "cli/about/build.hpp"
#include "cli/suggestions.hpp"
#include "cli/values.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

constexpr auto take_all = CLI::MultiOptionPolicy::TakeAll;

/// `-o,--output-file`
std::string cli_name(const Option& option) {
  return option.short_name == '\0' ? fmt::format("--{}", option.name)
                                   : fmt::format("-{},--{}", option.short_name, option.name);
}

void add_option(CLI::App& app, const Option& option) {
  const std::string help = option.default_text.empty()
                               ? std::string(option.help)
                               : fmt::format("{} (default: {})", option.help, option.default_text);
  const bool is_flag = option.kind == ValueKind::none;
  CLI::Option* const added =
      is_flag ? app.add_flag(cli_name(option))->description(help) : app.add_option(cli_name(option), help);
  added->multi_option_policy(is_flag ? CLI::MultiOptionPolicy::TakeLast : take_all);
  added->option_text(is_flag ? " " : describe_value(option));
}

void add_argument(CLI::App& app, const Argument& argument) {
  const std::string help(argument.help);
  CLI::Option* const added = app.add_option(std::string(argument.name), help)->multi_option_policy(take_all);
  if (argument.is_repeated) added->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
  // A missing argument is not reported until the options have been checked, but the help has to show that it
  // is required.
  added->required(!argument.is_optional);
  added->option_text(argument.is_optional ? "(optional)" : " ");
}

void set_up_command(CLI::App& app, const Command& command) {
  app.footer(make_plain(command.manual));
  for (const Argument& argument : command.arguments) add_argument(app, argument);
  for (const Option& option : command.options) add_option(app, option);
}

void set_up(CLI::App& app) {
  const Option& help = *find_option(program().options, "help");
  const Option& show_version = *find_option(program().options, "version");
  app.set_help_flag(cli_name(help), std::string(help.help));
  app.set_version_flag(cli_name(show_version), fmt::format("{} {}", program().name, version()),
                       std::string(show_version.help));
  add_option(app, *find_option(program().options, "verbose"));
  app.require_subcommand(1);
  for (const Command& command : program().commands) {
    CLI::App& added = *app.add_subcommand(std::string(command.name), std::string(command.help));
    // Setting up the options of all commands would take longer than checking a small file.
    added.preparse_callback([&added, &command](std::size_t /*words*/) { set_up_command(added, command); });
  }
  app.footer(std::string(program().footer));  // set last, because the commands would otherwise inherit it
}

/// The words that were given for the option or argument with that name. Does not use CLI::App::get_option(),
/// which is noexcept even though it allocates memory.
const CLI::Option& find_given(const CLI::App& app, std::string_view name) {
  return *app.get_options([&](const CLI::Option* option) { return option->get_single_name() == name; })
              .front();
}

bool is_given(const CLI::App& app, std::string_view name) { return find_given(app, name).count() != 0; }

using ReadValue = std::expected<Value, std::string>;

/// CLI11 also accepts flags with a value, such as --quiet=false.
ReadValue read_flag(const CLI::Option& given, const Option& option) {
  try {
    return given.as<bool>();
  } catch (const CLI::ConversionError&) {
    const WrongValue wrong{fmt::format("{}", fmt::join(given.results(), ",")), describe_expected(option)};
    return std::unexpected(fmt::format("--{}: {}", option.name, wrong.message()));
  }
}

ReadValue read_option(const CLI::Option& given, const Option& option) {
  if (given.count() == 0) return default_of(option);
  if (option.kind == ValueKind::none) return read_flag(given, option);
  Value value;
  for (const std::string& text : given.results()) {
    auto parsed = parse_value(option, text);
    if (!parsed) return std::unexpected(fmt::format("--{}: {}", option.name, parsed.error().message()));
    value = std::move(*parsed);
  }
  if (option.is_repeated) return given.results();
  if (given.count() > 1) return std::unexpected(fmt::format("--{} is given more than once", option.name));
  return value;
}

ReadValue read_argument(const CLI::Option& given, const Argument& argument) {
  if (given.count() == 0) return Value();
  for (const std::string& text : given.results()) {
    if (argument.choices == nullptr) continue;
    if (const auto word = parse_choice(argument.choices(), text); !word)
      return std::unexpected(fmt::format("{}: {}", argument.name, word.error().message()));
  }
  return argument.is_repeated ? Value(given.results()) : Value(given.results().front());
}

/// The values given to a command, or the error about the first invalid value.
std::expected<Values, std::string> read_values(const CLI::App& app, const Command& command) {
  Values values;
  for (const Argument& argument : command.arguments) {
    auto value = read_argument(find_given(app, argument.name), argument);
    if (!value) return std::unexpected(std::move(value.error()));
    values.slot(argument.name) = std::move(*value);
  }
  for (const Option& option : command.options) {
    auto value = read_option(find_given(app, option.name), option);
    if (!value) return std::unexpected(std::move(value.error()));
    values.slot(option.name) = std::move(*value);
    if (is_given(app, option.name)) values.mark_given(option.name);
  }
  return values;
}

/// The error about a missing argument or option; empty if none is missing.
std::string find_missing(const CLI::App* parsed, const Command* command) {
  if (command == nullptr) return "no command given; the commands are " + list_commands();
  for (const Argument& argument : command->arguments) {
    if (argument.is_optional || is_given(*parsed, argument.name)) continue;
    if (argument.kind == ValueKind::file) return fmt::format("{} is missing", argument.name);
    return fmt::format("found no {}, expected {}", argument.name, describe_expected(argument));
  }
  for (const Option& option : command->options) {
    if (option.is_required && !is_given(*parsed, option.name))
      return fmt::format("--{} is missing", option.name);
  }
  return {};
}

/// The error about two options that cannot be combined; empty if there are none.
std::string find_conflict(const Command& command, const Values& values) {
  for (const Option& option : command.options) {
    for (const Option& other : command.options) {
      const bool is_conflict = option.excludes == other.name || other.excludes == option.name;
      if (is_conflict && values.is_given(option.name) && values.is_given(other.name))
        return fmt::format("--{} cannot be combined with --{}", option.name, other.name);
    }
  }
  return {};
}

/// The words that neither the command nor the program accepts.
std::vector<std::string> find_unexpected(const CLI::App& app, const CLI::App* parsed) {
  std::vector<std::string> unexpected = app.remaining();
  return unexpected.empty() && parsed != nullptr ? parsed->remaining() : unexpected;
}

NoCommand refuse(const Command* command, std::string_view why) {
  const std::string name = command == nullptr ? "" : std::string(command->name) + " ";
  return {.error = fmt::format("{}; see `heapcheck {}--help`", why, name)};
}

/// The error about a missing, conflicting or unexpected word; empty if there is none. An unknown option is
/// reported first, with a suggestion, because it is probably the reason why another word is missing or
/// unexpected.
std::string find_wrong_usage(const CLI::App& app, const CLI::App* parsed, const Command* command,
                             const Command* first, const Values& values) {
  if (is_given(app, "verbose")) return "--verbose needs --version";
  std::string missing = find_missing(parsed, command);
  if (missing.empty()) {
    std::string conflict = find_conflict(*command, values);
    if (!conflict.empty()) return conflict;
  }
  const std::vector<std::string> unexpected = find_unexpected(app, parsed);
  const auto option = std::ranges::find_if(
      unexpected, [](const std::string& word) { return word.size() > 1 && word.starts_with("-"); });
  if (option != unexpected.end() && *option != "--")
    return fmt::format("unknown option {}{}", *option, suggest_option(first, *option));
  const auto is_mark = [](const std::string& word) { return word == "--"; };
  if (!missing.empty() || std::ranges::all_of(unexpected, is_mark)) return missing;
  return fmt::format("unexpected argument{} {}", unexpected.size() == 1 ? "" : "s",
                     fmt::join(unexpected, " "));
}

/// The error about an option that lacks a value at the end of the command line. CLI11's message begins with
/// the name of the option.
std::string describe_missing_value(const Command& command, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  return fmt::format("{}: found no value, expected {}", name,
                     describe_expected(*find_option(command.options, name.substr(2))));
}

/// Finds an argument such as `--output=`, for which CLI11 would use the next argument as the value. Empty if
/// there is none.
std::string_view find_without_value(std::span<const char* const> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--") && argument.find('=') + 1 == argument.size()) return argument;
  }
  return {};
}

}  // namespace

std::expected<CommandLine, NoCommand> read_command_line(int argc, const char* const* argv) {
  const std::string_view word = argc > 1 ? argv[1] : "-";
  const Command* const first = find_command(word);
  if (!word.starts_with('-') && first == nullptr)
    return std::unexpected(NoCommand{.error = fmt::format("unknown command {}{}; the commands are {}", word,
                                                          suggest_command(word), list_commands())});
  if (const auto found = find_without_value({argv, static_cast<std::size_t>(argc)}); !found.empty())
    return std::unexpected(NoCommand{.error = fmt::format("{} has no value after it", found)});
  CLI::App app(std::string(program().help), std::string(program().name));
  set_up(app);
  const auto find_parsed = [&app] {
    const auto commands = app.get_subcommands();
    return commands.empty() ? nullptr : commands.front();
  };
  bool wants_help = false;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& call) {
    const std::string build = is_given(app, "verbose") ? describe_build() : std::string();
    return std::unexpected(NoCommand{.output = fmt::format("{}\n{}", call.what(), build)});
  } catch (const CLI::CallForHelp&) {
    wants_help = true;
  } catch (const CLI::ArgumentMismatch& error) {
    const Command& command = *find_command(find_parsed()->get_name());
    return std::unexpected(refuse(first, describe_missing_value(command, error.what())));
    // The others are reported below.
  } catch (const CLI::RequiredError&) {  // NOLINT(bugprone-empty-catch)
  } catch (const CLI::ExtrasError&) {    // NOLINT(bugprone-empty-catch)
  }
  const CLI::App* const parsed = find_parsed();
  const Command* const command = parsed == nullptr ? nullptr : find_command(parsed->get_name());
  std::expected<Values, std::string> values;
  if (command != nullptr) values = read_values(*parsed, *command);
  if (!values) return std::unexpected(refuse(first, values.error()));
  if (wants_help) return std::unexpected(NoCommand{.output = app.help()});
  const std::string wrong = find_wrong_usage(app, parsed, command, first, *values);
  if (!wrong.empty()) return std::unexpected(refuse(first, wrong));
  return CommandLine{.command = command, .values = std::move(*values)};
}

}  // namespace heapcheck::cli
