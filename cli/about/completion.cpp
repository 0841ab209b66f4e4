// Makes the scripts that complete command lines in bash, zsh and fish from the command table.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cli/about/commands.hpp"
#include "cli/about/pages.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "heapcheck/validate.hpp"

namespace heapcheck::cli {
namespace {

/// The completions that a shell offers for a value.
struct Offer {
  Choices words = {};
  bool has_files = false;  ///< whether to offer file names
};

/// The index that Argument::hints takes for the argument. The dump is not counted.
std::size_t index_without_dump(const Command& command, std::size_t index) {
  const bool has_dump = command.arguments.front().kind == ValueKind::file;
  return has_dump && index > 0 ? index - 1 : index;
}

Offer offer_for_argument(const Command& command, std::size_t index) {
  const Argument& argument = command.arguments[std::min(index, command.arguments.size() - 1)];
  if (argument.kind == ValueKind::file) return {.has_files = true};
  if (argument.choices != nullptr) return {.words = argument.choices()};
  if (argument.hints != nullptr) return {.words = argument.hints(index_without_dump(command, index))};
  return {};
}

Offer offer_for(const Option& option) {
  if (option.kind == ValueKind::file) return {.has_files = true};
  if (option.hints != nullptr) return {.words = option.hints()};
  return {.words = choices_of(option)};
}

bool has_repeated_argument(const Command& command) {
  return !command.arguments.empty() && command.arguments.back().is_repeated;
}

/// What to offer for each argument of the command, in order. If the last argument may be repeated, the last
/// offer applies to all further words.
std::vector<Offer> offers_for_arguments(const Command& command) {
  const std::size_t count = command.arguments.size() + (has_repeated_argument(command) ? 1 : 0);
  std::vector<Offer> offers;
  for (std::size_t i = 0; i < count; ++i) offers.push_back(offer_for_argument(command, i));
  return offers;
}

/// The text in single quotes. Each single quote inside the text is replaced with `quote`.
std::string quote_single(std::string_view text, std::string_view quote) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string(quote) : std::string(1, c);
  return quoted + "'";
}

/// The text with a backslash before each occurrence of these characters.
std::string escape_each(std::string_view text, std::string_view characters) {
  std::string escaped;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string join_words(const Choices& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// The patterns of a `case` statement, keyed by the commands that they select.
using Cases = std::map<std::string, std::string>;

void add_case(Cases& cases, const std::string& action, const std::string& pattern) {
  std::string& patterns = cases[action];
  if (!patterns.empty()) patterns += " | ";
  patterns += pattern;
}

std::string set_offer(const Offer& offer) {
  if (offer.has_files) return "files=1";
  return offer.words.empty() ? ":" : fmt::format("words={}", quote_single(join_words(offer.words), "'\\''"));
}

/// A shell function that runs the commands for the pattern that "$1 $2" matches, and fails if it matches
/// none.
std::string make_case_function(std::string_view comment, std::string_view name, const Cases& cases) {
  std::string text = fmt::format("\n# {}\n{}() {{\n  case \"$1 $2\" in\n", comment, name);
  for (const auto& [action, patterns] : cases)
    fmt::format_to(std::back_inserter(text), "    {}) {} ;;\n", patterns, action);
  return text + "    *) return 1 ;;\n  esac\n}\n";
}

std::string make_value_function() {
  Cases cases;
  for (const Command& command : program().commands) {
    for (const Option& option : command.options) {
      if (option.kind == ValueKind::none) continue;
      const std::string action = set_offer(offer_for(option));
      add_case(cases, action, fmt::format("'{} --{}'", command.name, option.name));
      if (option.short_name != '\0')
        add_case(cases, action, fmt::format("'{} -{}'", command.name, option.short_name));
    }
  }
  return make_case_function("Sets the completions for the value of option $2 of command $1.",
                            "_heapcheck_value", cases);
}

std::string make_argument_function() {
  Cases cases;
  for (const Command& command : program().commands) {
    const std::vector<Offer> offers = offers_for_arguments(command);
    for (std::size_t i = 0; i < offers.size(); ++i) {
      const bool is_for_rest = has_repeated_argument(command) && i + 1 == offers.size();
      const std::string pattern =
          is_for_rest ? fmt::format("'{} rest'", command.name) : fmt::format("'{} {}'", command.name, i);
      add_case(cases, set_offer(offers[i]), pattern);
    }
  }
  return make_case_function("Sets the completions for argument $2 of command $1, counted from 0, or `rest`.",
                            "_heapcheck_argument", cases);
}

std::string list_option_words(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options) text.append(text.empty() ? "" : " ").append("--").append(option.name);
  return text;
}

std::string make_options_function() {
  std::string text = "\n# Sets the options of command $1.\n_heapcheck_options() {\n  case $1 in\n";
  for (const Command& command : program().commands) {
    if (command.options.empty()) continue;
    fmt::format_to(std::back_inserter(text), "    {}) words='{} --help' ;;\n", command.name,
                   list_option_words(command.options));
  }
  fmt::format_to(std::back_inserter(text), "    '') words='{}' ;;\n", list_option_words(program().options));
  return text + "    *) words=--help ;;\n  esac\n}\n";
}

std::string make_commands_function() {
  Choices names;
  for (const Command& command : program().commands) names.emplace_back(command.name);
  return fmt::format("\n_heapcheck_commands() {{ words='{}'; }}\n", join_words(names));
}

/// `line` contains the words before the cursor. Bash splits words at `:` and `=`, so the pieces are joined
/// again, and the offered words must leave out everything up to the last of these characters.
constexpr std::string_view main_function = R"(
_heapcheck() {
  local words='' files='' word current option='' command='' index=0 breaks typed
  local line=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#line[@]})) && [[ $word =~ ^[:=]+$ || ${line[-1]} == *[:=] ]]; then
      line[-1]+=$word
    else
      line+=("$word")
    fi
  done
  current=${line[-1]}
  unset 'line[-1]'

  for word in "${line[@]}"; do
    if [[ -n $option ]]; then
      option=''
    elif [[ -z $command ]]; then
      if [[ $word != -* ]]; then command=$word; fi
    elif [[ $word == -?* ]]; then
      if _heapcheck_value "$command" "$word"; then option=$word; fi
    else
      index=$((index + 1))
    fi
  done

  words='' files='' typed=$current
  if [[ -n $option ]]; then
    _heapcheck_value "$command" "$option"
  elif [[ -n $command && $current == --*=* ]]; then
    typed=${current#*=}
    _heapcheck_value "$command" "${current%%=*}"
  elif [[ $current == -* ]]; then
    _heapcheck_options "$command"
  elif [[ -z $command ]]; then
    _heapcheck_commands
  else
    _heapcheck_argument "$command" "$index" || _heapcheck_argument "$command" rest
  fi

  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o default
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$typed")
  breaks=${COMP_WORDBREAKS//[^:=]/}
  if [[ -n $breaks && $typed == *["$breaks"]* ]]; then
    word=${typed%"${typed##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
  fi
}

complete -F _heapcheck heapcheck
)";

constexpr std::string_view special_in_help = "\\[]:$`";
constexpr std::string_view special_in_words = "\\[](){}:;&|<>*?~#$`\"' ";

std::string quote_for_zsh(std::string_view text) { return quote_single(text, "'\\''"); }

/// `:FORM:(text json)`
std::string describe_offer(std::string_view placeholder, const Offer& offer) {
  std::string text = fmt::format(":{}:", escape_each(placeholder, special_in_help));
  if (offer.has_files) return text + "_files";
  if (offer.words.empty()) return text + " ";  // there is nothing to offer for this value
  Choices escaped;
  for (const std::string& word : offer.words) escaped.push_back(escape_each(word, special_in_words));
  return text + fmt::format("({})", join_words(escaped));
}

/// The lines for an option: two if it has a short name, and otherwise one.
std::string make_zsh_option(std::string_view indent, const Option& option) {
  const bool has_value = option.kind != ValueKind::none;
  const bool has_short = option.short_name != '\0';
  std::string rest = fmt::format("[{}]", escape_each(option.help, special_in_help));
  if (has_value) rest += describe_offer(option.placeholder, offer_for(option));
  std::string both = option.is_repeated ? "*" : "";
  if (has_short && !option.is_repeated) both = fmt::format("(-{} --{})", option.short_name, option.name);
  std::string text;
  const auto add = [&](const std::string& name) {
    text += fmt::format(" \\\n{}{}", indent, quote_for_zsh(both + name + rest));
  };
  if (has_short) add(fmt::format("-{}{}", option.short_name, has_value ? "+" : ""));
  add(fmt::format("--{}{}", option.name, has_value ? "=" : ""));
  return text;
}

std::string make_zsh_argument(const Command& command, std::size_t index, const Offer& offer) {
  const Argument& argument = command.arguments[std::min(index, command.arguments.size() - 1)];
  const bool is_rest = index >= command.arguments.size();
  const std::string place = is_rest ? "*" : fmt::format("{}{}", index + 1, argument.is_optional ? ":" : "");
  return quote_for_zsh(place + describe_offer(argument.name, offer));
}

std::string make_zsh_command(const Command& command) {
  constexpr std::string_view indent = "            ";
  std::string text = fmt::format("        {})\n          _arguments -s -S", command.name);
  text += make_zsh_option(indent, *find_option(program().options, "help"));
  for (const Option& option : command.options) text += make_zsh_option(indent, option);
  const std::vector<Offer> offers = offers_for_arguments(command);
  for (std::size_t i = 0; i < offers.size(); ++i)
    text += fmt::format(" \\\n{}{}", indent, make_zsh_argument(command, i, offers[i]));
  return text + "\n          ;;\n";
}

std::string list_zsh_commands() {
  std::string text;
  for (const Command& command : program().commands) {
    text += fmt::format("        {}\n",
                        quote_for_zsh(fmt::format("{}:{}", command.name, escape_each(command.help, ":"))));
  }
  return text;
}

constexpr std::string_view before_command = "-n __fish_use_subcommand";

std::string quote_for_fish(std::string_view text) { return quote_single(escape_each(text, "\\"), "\\'"); }

/// The words to offer. Fish parses them like the words of a command.
std::string offer_words(const Choices& words) {
  return words.empty() ? std::string()
                       : fmt::format(" -a {}", quote_for_fish(escape_each(join_words(words), "<>~\"'")));
}

std::string make_fish_option(std::string_view condition, const Option& option) {
  const Offer offer = offer_for(option);
  std::string text = fmt::format("complete -c heapcheck {}", condition);
  if (option.short_name != '\0') text += fmt::format(" -s {}", option.short_name);
  text += fmt::format(" -l {}", option.name);
  if (option.kind != ValueKind::none) text += offer.has_files ? " -r -F" : " -x";
  return text + offer_words(offer.words) + fmt::format(" -d {}\n", quote_for_fish(option.help));
}

/// Fish does not count arguments, so all words are offered for every argument.
std::string make_fish_arguments(std::string_view condition, const Command& command) {
  bool has_files = false;
  std::string text;
  for (const Offer& offer : offers_for_arguments(command)) {
    has_files = has_files || offer.has_files;
    if (offer.words.empty()) continue;
    text += fmt::format("complete -c heapcheck {}{}\n", condition, offer_words(offer.words));
  }
  return has_files ? text + fmt::format("complete -c heapcheck {} -F\n", condition) : text;
}

}  // namespace

Choices rule_ids() {
  Choices ids;
  for (const Rule* rule : all_rules()) ids.emplace_back(rule->id);
  return ids;
}

int run_completion(const Values& values) {
  const auto shell = values.get<std::string>("SHELL");
  const std::string script = shell == "bash"  ? make_bash_completion()
                             : shell == "zsh" ? make_zsh_completion()
                                              : make_fish_completion();
  return write_output("", script) ? sound : usage;
}

std::string make_bash_completion() {
  std::string text =
      "# Completes the command lines of heapcheck in bash. Generated by `heapcheck completion bash`.\n"
      "# shellcheck shell=bash disable=SC2034 # the functions set the variables of _heapcheck\n";
  text += make_commands_function() + make_options_function() + make_value_function();
  return text.append(make_argument_function()).append(main_function);
}

std::string make_zsh_completion() {
  std::string text =
      "#compdef heapcheck\n"
      "# Completes the command lines of heapcheck in zsh. Generated by `heapcheck completion zsh`.\n\n"
      "_heapcheck() {\n  local state\n  local -a commands line\n  _arguments -s -S -C";
  for (const Option& option : program().options) text += make_zsh_option("    ", option);
  text +=
      " \\\n    '1: :->command' \\\n    '*:: :->arguments'\n  case $state in\n"
      "    command)\n      commands=(\n";
  text += list_zsh_commands();
  text += "      )\n      _describe -t commands command commands\n      ;;\n";
  text += "    arguments)\n      case $words[1] in\n";
  for (const Command& command : program().commands) text += make_zsh_command(command);
  return text +
         "      esac\n      ;;\n  esac\n}\n\n"
         "if [[ $funcstack[1] == _heapcheck ]]; then\n  _heapcheck \"$@\"\nelse\n"
         "  compdef _heapcheck heapcheck\nfi\n";
}

std::string make_fish_completion() {
  std::string text =
      "# Completes the command lines of heapcheck in fish. Generated by `heapcheck completion fish`.\n"
      "complete -c heapcheck -f\n";
  for (const Option& option : program().options) text += make_fish_option(before_command, option);
  for (const Command& command : program().commands) {
    text += fmt::format("complete -c heapcheck {} -a {} -d {}\n", before_command, command.name,
                        quote_for_fish(command.help));
  }
  for (const Command& command : program().commands) {
    const std::string condition = fmt::format("-n '__fish_seen_subcommand_from {}'", command.name);
    text += make_fish_option(condition, *find_option(program().options, "help"));
    for (const Option& option : command.options) text += make_fish_option(condition, option);
    text += make_fish_arguments(condition, command);
  }
  return text;
}

}  // namespace heapcheck::cli
